import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { keyRing } from '../keys/key-ring.ts';
import type { SecretKey } from '../secrets/secret-key.ts';
import { addFirstSecret } from './client-secrets.ts';

export interface Application {
  /** Also the id of its first client. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

/**
 * Creates an application: the owner of connections, whose requests are counted together. It begins with one client of
 * the same id and name, which has one secret.
 */
export async function createApplication(store: Store, name: string): Promise<Application> {
  const { newest } = await keyRing(store);
  return inOwnerTransaction(store, (client) => insert(newest, client, name));
}

async function insert(key: SecretKey, client: pg.ClientBase, name: string): Promise<Application> {
  const id = newId();
  const { rows } = await client.query<Application>(
    'insert into unified.applications (id, name) values ($1, $2) returning id, name, "createdAt"',
    [id, name],
  );
  const [made] = rows;
  if (!made) throw new Error('The application was not created.');
  await client.query('insert into unified.clients (id, "applicationId", name) values ($1, $1, $2)', [id, name]);
  await addFirstSecret(client, key, id);
  return made;
}

/**
 * The oldest application with this name. Creates one if there is none, but only one even if two processes call this at the same
 * time.
 */
export async function applicationNamed(store: Store, name: string): Promise<Application & { readonly isNew: boolean }> {
  const { newest } = await keyRing(store);
  return inOwnerTransaction(store, async (client) => {
    // Names are not unique, so the first transaction locks the name until the application exists.
    await client.query(`select pg_advisory_xact_lock(hashtextextended('application ' || $1, 0))`, [name]);
    const { rows } = await client.query<Application>(
      'select id, name, "createdAt" from unified.applications where name = $1 order by id limit 1',
      [name],
    );
    return rows[0] ? { ...rows[0], isNew: false } : { ...(await insert(newest, client, name)), isNew: true };
  });
}

/** All applications, oldest first. */
export async function listApplications(store: Store): Promise<Application[]> {
  const { rows } = await asOwner<Application>(
    store,
    'select id, name, "createdAt" from unified.applications order by id',
  );
  return rows;
}
