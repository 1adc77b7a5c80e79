import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { recall, superuserUrl } from '../src/embedded/remembered.ts';

/** Folder in which test servers leave the statements that they have run; unset: they do not record them. */
const FOLDER = process.env.RECORD_STATEMENTS;

/** Statements of the service on a test server, with constants replaced by parameters, and the tables that belong to connections. */
export interface RecordedStatements {
  readonly statements: readonly string[];
  /** Tables with a column `connection_id`: names with their schema. */
  readonly tenantTables: readonly string[];
}

/** Settings with which a server can record statements; it begins with `recordService`. */
export const recording: Readonly<Record<string, string>> =
  FOLDER === undefined
    ? {}
    : {
        ...{ shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '10000' },
        ...{ 'pg_stat_statements.track': 'none', 'pg_stat_statements.track_utility': 'off' },
      };

/**
 * Names by which the service opens its database connections. Tests open theirs without a name, and migrations change the rows of
 * all connections.
 */
const SERVICE = '^unified( (tenant|query|process|listener|locks|calls))?$';

/**
 * Statements count by the name of the database connection that they come from. A function of an extension is not handed over to the
 * owner of the database, who could not change the setting.
 */
const RECORD_SERVICE = `
  create function record_service() returns event_trigger language plpgsql security definer as $$
  begin
    if current_setting('application_name') ~ '${SERVICE}' then
      perform set_config('pg_stat_statements.track', 'top', false);
    end if;
  end $$;
  alter extension plpgsql add function record_service();
  create event trigger record_service on login execute function record_service()`;

/** Makes the server record the statements that the service issues from now on, and no others. */
export async function recordService(dataDir: string, databaseUrl: string): Promise<void> {
  await asSuperuser(dataDir, databaseUrl, async (client) => {
    const { rowCount } = await client.query(`select from pg_event_trigger where evtname = 'record_service'`);
    if (rowCount === 0) await client.query(RECORD_SERVICE);
  });
}

/** Writes the statements that a server recorded to a new file. Does nothing if a test
 * has made the server unreachable. */
export async function keepStatements(dataDir: string, databaseUrl: string): Promise<void> {
  await asSuperuser(dataDir, databaseUrl, async (client, folder) => {
    // Not earlier, because tests list the tables of a database.
    await client.query('create extension if not exists pg_stat_statements');
    const statements = await client.query<{ query: string }>('select distinct query from pg_stat_statements');
    const tables = await client.query<{ name: string }>(
      `select table_schema || '.' || table_name as name from information_schema.columns
        where column_name = 'connection_id' and table_schema in ('unified', 'data')`,
    );
    const recorded: RecordedStatements = {
      statements: statements.rows.map(({ query }) => query),
      tenantTables: tables.rows.map(({ name }) => name),
    };
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, `${randomUUID()}.json`), JSON.stringify(recorded));
  });
}

async function asSuperuser(
  dataDir: string,
  databaseUrl: string,
  work: (client: pg.Client, folder: string) => Promise<void>,
): Promise<void> {
  const remembered = FOLDER === undefined ? null : await recall(dataDir);
  if (FOLDER === undefined || remembered === null) return;
  const client = new pg.Client(superuserUrl(remembered, new URL(databaseUrl).pathname.slice(1)));
  if (!(await isConnected(client))) return;
  try {
    await work(client, FOLDER);
  } finally {
    await client.end();
  }
}

function isConnected(client: pg.Client): Promise<boolean> {
  return client.connect().then(
    () => true,
    () => false,
  );
}
