import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { recall, superuserUrl } from '../src/embedded/remembered.ts';

/** Folder in which test servers leave the statements that they have run; unset: they do not record them. */
const RECORD_STATEMENTS = process.env.RECORD_STATEMENTS;

/** Statements of a test server, with constants replaced by parameters, and the tables that they may name. */
export interface RecordedStatements {
  readonly statements: readonly string[];
  /** Names with their schema. */
  readonly tables: readonly string[];
  /** Those that have a column `connection_id`. */
  readonly tenantTables: readonly string[];
}

/** Settings with which a server records its statements. */
export const recording: Readonly<Record<string, string>> =
  RECORD_STATEMENTS === undefined
    ? {}
    : {
        ...{ shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '10000' },
        ...{ 'pg_stat_statements.track_utility': 'off', 'pg_stat_statements.save': 'off' },
      };

/**
 * Writes the statements that the service ran on the server to a new file. Those of the superuser, which is the test, are left out. A
 * server that a test has killed no longer knows them.
 */
export async function keepStatements(dataDir: string, databaseUrl: string): Promise<void> {
  if (RECORD_STATEMENTS === undefined) return;
  const remembered = await recall(dataDir);
  if (!remembered) return;
  const client = new pg.Client(superuserUrl(remembered, new URL(databaseUrl).pathname.slice(1)));
  if (!(await isConnected(client))) return;
  try {
    await client.query('create extension if not exists pg_stat_statements');
    const { rows } = await client.query<{ query: string }>(
      `select distinct query from pg_stat_statements join pg_roles on pg_roles.oid = userid
        where rolname like 'unified%' and dbid = (select oid from pg_database where datname = current_database())`,
    );
    const tables = await client.query<{ name: string; isTenant: boolean }>(
      `select table_schema || '.' || table_name as name,
              exists (select from information_schema.columns c
                       where c.table_schema = t.table_schema and c.table_name = t.table_name
                         and c.column_name = 'connection_id') as "isTenant"
         from information_schema.tables t where table_schema in ('unified', 'data')`,
    );
    const recorded: RecordedStatements = {
      statements: rows.map(({ query }) => query),
      tables: tables.rows.map(({ name }) => name),
      tenantTables: tables.rows.filter(({ isTenant }) => isTenant).map(({ name }) => name),
    };
    await mkdir(RECORD_STATEMENTS, { recursive: true });
    await writeFile(join(RECORD_STATEMENTS, `${randomUUID()}.json`), JSON.stringify(recorded));
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
