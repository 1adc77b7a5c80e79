import { withConnection } from '../sql/own-connection.ts';
import { handOver } from './hand-over.ts';
import type { Login } from './logins.ts';
import { loginUrl, type Remembered, superuserUrl } from './remembered.ts';

/**
 * Creates a database owned by `owner` unless it exists, and returns its URL for the owner. Call it under the start
 * lock.
 */
export async function createDatabase(server: Remembered, name: string, owner: Login): Promise<string> {
  await withConnection(superuserUrl(server), async (client) => {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount) return;
    await client.query(`create database ${client.escapeIdentifier(name)} template template0 owner ${owner}`);
  });
  await withConnection(superuserUrl(server, name), (client) => handOver(client, owner));
  return loginUrl(server, owner, name);
}
