import pg from 'pg';
import { withConnection } from '../sql/own-connection.ts';

/** SQLSTATE of a missing privilege. */
const NOT_ALLOWED = '42501';
const EXISTS = '42P04';

/**
 * URL of the database `name` on the same server as `url`; created if it is missing. If the user may not create databases, or
 * this one has another owner, returns `url` itself; use a separate schema in that database.
 */
export async function siblingDatabase(url: string, name: string): Promise<string> {
  const sibling = new URL(url);
  sibling.pathname = `/${name}`;
  const isOurs = await withConnection(url, async (client) => {
    const { rows } = await client.query(
      `select has_database_privilege(datname, 'CREATE') as ours from pg_database where datname = $1`,
      [name],
    );
    return rows[0]?.ours ?? make(client, name);
  });
  return isOurs ? sibling.href : url;
}

async function make(client: pg.Client, name: string): Promise<boolean> {
  try {
    await client.query(`create database ${client.escapeIdentifier(name)}`);
    return true;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    if (error.code === EXISTS) return true;
    if (error.code === NOT_ALLOWED) return false;
    throw error;
  }
}
