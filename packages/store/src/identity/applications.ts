import { v7 as newId } from 'uuid';
import { internalsOf, type Store } from '../store.ts';

export interface Application {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

/** Makes an application: the party that holds connections and whose requests are counted together. */
export async function createApplication(store: Store, name: string): Promise<Application> {
  const { rows } = await internalsOf(store).owner.query<Application>(
    'insert into unified.applications (id, name) values ($1, $2) returning id, name, "createdAt"',
    [newId(), name],
  );
  const [made] = rows;
  if (!made) throw new Error('The application was not made.');
  return made;
}

/** All applications, oldest first. */
export async function listApplications(store: Store): Promise<Application[]> {
  const { rows } = await internalsOf(store).owner.query<Application>(
    'select id, name, "createdAt" from unified.applications order by id',
  );
  return rows;
}
