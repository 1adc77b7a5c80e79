import type pg from 'pg';
import { until } from '../embedded/until.ts';
import { DECIDING, RUNNING } from '../installation/installation-locks.ts';
import { withConnection } from '../sql/own-connection.ts';
import { type InstallationTable, installationTables } from './installation-tables.ts';
import { MoveError } from './move-error.ts';

/** The table that an empty database has rows in once it is migrated. */
export const SETTINGS = 'unified.settings';

/** Seconds within which PostgreSQL notices that an earlier move was killed. */
const PATIENCE = 10;

/** Refuses a URL that leads to the embedded database itself. */
export async function refuseSame(from: string, to: string): Promise<void> {
  const [source, target] = [await serverOf(from), await serverOf(to)];
  if (source !== target) return;
  throw new MoveError('This address leads to the embedded database itself.', 'Name a database of your own PostgreSQL.');
}

function serverOf(url: string): Promise<string> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<{ identity: string }>(
      // A copy of the files has the same system identifier, but another server has not started in the same microsecond.
      `select concat_ws(' ', system_identifier, pg_postmaster_start_time(), current_database()) as identity
         from pg_control_system()`,
    );
    return rows[0]?.identity ?? '';
  });
}

/** Keeps processes of the service from using the database until the session ends. Throws `MoveError` if some do. */
export async function claimTarget(target: pg.Client): Promise<void> {
  const isTaken = async () => {
    const { rows } = await target.query<{ taken: boolean }>(
      'select pg_try_advisory_lock($1) and pg_try_advisory_lock($2) as taken',
      [DECIDING, RUNNING],
    );
    return rows[0]?.taken || null;
  };
  await until(isTaken, PATIENCE, '').catch((error: unknown) => {
    if (!(error instanceof Error && error.message === '')) throw error;
    throw new MoveError('Processes of the service use the other database.', 'Stop them, or name an empty database.');
  });
}

/** Throws `MoveError` if the database does not have the same tables and columns. */
export async function refuseUnlike(target: pg.Client, wanted: readonly InstallationTable[]): Promise<void> {
  const shapes = new Map((await installationTables(target)).map((table) => [table.name, shapeOf(table)]));
  for (const table of wanted) {
    if (shapes.get(table.name) === shapeOf(table)) continue;
    throw new MoveError(
      `${table.name} has the columns ${shapeOf(table)} in the embedded database, and ${shapes.get(table.name) ?? 'does not exist'} in the other.`,
      'Remove what this release did not create, in one of them.',
    );
  }
}

const shapeOf = ({ columns }: InstallationTable) => columns.map(({ name, type }) => `${name} ${type}`).join(', ');

/** The first table that has rows, apart from the settings that migrations write; undefined in an empty database. */
export async function usedTable(target: pg.Client, tables: readonly InstallationTable[]): Promise<string | undefined> {
  for (const { name } of tables) {
    if (name === SETTINGS) continue;
    const { rowCount } = await target.query(`select from ${name} limit 1`);
    if (rowCount) return name;
  }
  return undefined;
}
