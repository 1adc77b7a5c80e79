import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { SeedTable } from './row.ts';

const FOLDER = fileURLToPath(new URL('..', import.meta.url));
/** Changes with everything that tables and rows are made from; an older sandbox is made anew. */
const VERSION = `sandbox company ${versionOf(['sql/**/*.sql', 'src/**/*.ts'])}`;
/** Columns are computed and filled by the forms; other areas may add columns to the tables of master data and orders. */
const BEFORE = ['sql/forms.sql', 'sql/master/1-tables.sql', 'sql/orders/1-tables.sql', 'sql/*/1-tables.sql'];
/** References to master data need its keys. */
const AFTER = [
  'sql/every-table.sql',
  'sql/every-area.sql',
  'sql/master/2-integrity.sql',
  'sql/*/2-integrity.sql',
  'sql/*/3-rules.sql',
  'sql/*/4-interfaces.sql',
];

export interface SeedOptions {
  /** Connection string of a database in which schemas may be made. */
  readonly url: string;
  /** Schema of its own for the sandbox; made when it is missing. */
  readonly schema: string;
  readonly log?: (line: string) => void;
}

/**
 * Makes the sandbox company, a generated manufacturer in the tables of an old ERP system. One transaction: there is
 * either all of it or nothing. Does nothing when it is there already. Gives whether it was made.
 *
 * @throws Error when the schema holds something else
 */
export async function seedSandbox({ url, schema, log = () => undefined }: SeedOptions): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'sandbox-seed' });
  // An error event without a listener would end the process; the statement under way rejects, or the next one does.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`sandbox ${schema}`]);
    const isMade = await isPresent(client, schema);
    if (isMade) log(`Sandbox company is present in schema ${schema}`);
    else await seed(client, schema, log);
    await client.query('COMMIT');
    return !isMade;
  } finally {
    // Closing the session undoes what was not committed.
    await client.end();
  }
}

async function isPresent(client: pg.Client, schema: string): Promise<boolean> {
  const { rows } = await client.query<{ marker: string | null; tables: string }>(
    `SELECT obj_description(oid, 'pg_namespace') AS marker,
       (SELECT count(*) FROM pg_class WHERE relnamespace = n.oid AND relkind = 'r') AS tables
     FROM pg_namespace n WHERE nspname = $1`,
    [schema],
  );
  const [found] = rows;
  if (!found || found.marker === VERSION) return found !== undefined;
  const isOlder = found.marker?.startsWith('sandbox company') ?? false;
  if (!isOlder && found.tables !== '0') throw new Error(`Schema ${schema} holds something else; name another one`);
  await client.query(`DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`);
  return false;
}

async function seed(client: pg.Client, schema: string, log: (line: string) => void): Promise<void> {
  const begun = performance.now();
  await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
  await client.query(`COMMENT ON SCHEMA ${pg.escapeIdentifier(schema)} IS '${VERSION}'`);
  await client.query(`SET LOCAL search_path TO ${pg.escapeIdentifier(schema)}`);
  for (const file of found(BEFORE)) await client.query(text(file));
  // Thousands of rows come with it, which later starts do without.
  const { company } = await import('./company/company.ts');
  const tables = company();
  for (const table of tables) await fill(client, table);
  for (const file of found(AFTER)) await client.query(text(file));
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  log(`Sandbox company made in schema ${schema}: ${rows} rows in ${Math.round(performance.now() - begun)} ms`);
}

async function fill(client: pg.Client, { table, rows }: SeedTable): Promise<void> {
  const columns = Object.keys(rows[0] ?? {})
    .map((column) => pg.escapeIdentifier(column))
    .join(', ');
  await client.query(
    `INSERT INTO ${pg.escapeIdentifier(table)} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${pg.escapeIdentifier(table)}, $1)`,
    [JSON.stringify(rows)],
  );
  await client.query(`ANALYZE ${pg.escapeIdentifier(table)}`);
}

/** Files of the patterns, each once, in the order of the patterns and each pattern's by name. */
function found(patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: FOLDER }).sort()))];
}

function text(file: string): string {
  return readFileSync(`${FOLDER}${file}`, 'utf8');
}

function versionOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of found(patterns)) hash.update(`${file}\n${text(file)}\n`);
  return hash.digest('hex').slice(0, 12);
}
