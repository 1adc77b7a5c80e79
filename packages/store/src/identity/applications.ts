import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { asOwner, internalsOf, keyOf, type Store } from '../access/store.ts';
import { seal, unseal } from '../secrets/secret-key.ts';
import { withClient } from '../sql/session.ts';

export interface Application {
  /** Also the client id of the application. */
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
}

/** Prefix of the client secrets of this service, for users and for scanners of leaked secrets. */
const PREFIX = 'scs_';

/**
 * Creates an application: the owner of connections, whose requests are counted together. It gets a client secret, which is
 * encrypted at rest.
 */
export async function createApplication(store: Store, name: string): Promise<Application> {
  return withClient(internalsOf(store).owner, (client) => insert(store, client, name));
}

async function insert(store: Store, client: pg.ClientBase, name: string): Promise<Application> {
  const id = newId();
  const secret = seal(keyOf(store), secretOf(id), PREFIX + randomBytes(32).toString('base64url'));
  const { rows } = await client.query<Application>(
    'insert into unified.applications (id, name, secret) values ($1, $2, $3) returning id, name, "createdAt"',
    [id, name, secret],
  );
  const [made] = rows;
  if (!made) throw new Error('The application was not created.');
  return made;
}

/** The oldest application with this name; created when there is none, once even if two processes call this at the same time. */
export async function applicationNamed(store: Store, name: string): Promise<Application> {
  return withClient(internalsOf(store).owner, async (client) => {
    await client.query('begin');
    try {
      // Names are not unique, so the first transaction locks the name until the application exists.
      await client.query(`select pg_advisory_xact_lock(hashtextextended('application ' || $1, 0))`, [name]);
      const { rows } = await client.query<Application>(
        'select id, name, "createdAt" from unified.applications where name = $1 order by id limit 1',
        [name],
      );
      const application = rows[0] ?? (await insert(store, client, name));
      await client.query('commit');
      return application;
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => client.emit('error', failure));
      throw error;
    }
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

/** The client secret of an application, decrypted; null when there is no such application. Never log it. */
export async function applicationSecret(store: Store, id: string): Promise<string | null> {
  const { rows } = await asOwner<{ secret: string }>(store, 'select secret from unified.applications where id = $1', [
    id,
  ]);
  return rows[0] ? unseal(keyOf(store), secretOf(id), rows[0].secret) : null;
}

function secretOf(row: string) {
  return { table: 'applications', column: 'secret', row };
}
