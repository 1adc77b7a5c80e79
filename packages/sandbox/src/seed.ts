import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { derivedTables } from './derived/derived-table.ts';
import { codesSql, tablesSql } from './derived/seed-derived.ts';
import { packageFolder } from './folders.ts';
import type { EncodedTable } from './row.ts';

/** Changes with every file that defines tables or rows; a sandbox with a different version is recreated. */
const VERSION = `sandbox company ${versionOf(['sql/**/*.sql', 'src/**/*.ts'])}`;
/**
 * Files that run before rows are inserted. Generated columns call the functions of `forms.sql`; areas add columns to the
 * tables of master data and orders.
 */
const BEFORE = ['sql/forms.sql', 'sql/master/1-tables.sql', 'sql/orders/1-tables.sql', 'sql/*/1-tables.sql'];
/**
 * Files that run afterwards. Rows get exchange rates, journal entries, planned quantities and percentages before a trigger updates
 * `changed_at`. References to master data require its keys.
 */
const AFTER = [
  'sql/unit-conversion.sql',
  'sql/exchange-rates.sql',
  'sql/postings.sql',
  'sql/subledgers.sql',
  'sql/planned-stock.sql',
  'sql/order-progress.sql',
  'sql/every-table.sql',
  'sql/every-area.sql',
  'sql/master/2-integrity.sql',
  'sql/*/2-integrity.sql',
  'sql/*/3-rules.sql',
  'sql/*/4-*.sql',
];

export interface SeedOptions {
  /** Connection string of a database in which schemas may be created. */
  readonly url: string;
  /** Separate schema for the sandbox; created if it does not exist. */
  readonly schema: string;
  /** Day on which the company was last used; by default today. All its dates are relative to it. */
  readonly today?: Date;
  /** An even number of work orders, by default 20,000, which is almost a quarter of all rows. Tests need fewer. */
  readonly workOrders?: number;
  readonly log?: (line: string) => void;
}

/**
 * Creates the sandbox company, a generated manufacturer in the tables of an old ERP system, in one transaction. Does
 * nothing if it exists. Returns whether it was created.
 *
 * @throws Error if the schema contains other tables
 */
export async function seedSandbox(options: SeedOptions): Promise<boolean> {
  const { url, schema, log = () => undefined } = options;
  const client = new pg.Client({ connectionString: url, application_name: 'sandbox-seed' });
  // An error event without a listener would end the process; the current statement rejects, or the next one.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`sandbox ${schema}`]);
    const isMade = await isPresent(client, schema);
    if (isMade) log(`Sandbox company exists in schema ${schema}`);
    else log(await seed(client, options));
    await client.query('COMMIT');
    return !isMade;
  } finally {
    // Closing the session rolls back an open transaction.
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
  if (!isOlder && found.tables !== '0') throw new Error(`Schema ${schema} contains other tables; choose another one`);
  await client.query(`DROP SCHEMA ${pg.escapeIdentifier(schema)} CASCADE`);
  return false;
}

/** Creates and fills the schema. Returns a line for the log. */
async function seed(client: pg.Client, options: SeedOptions): Promise<string> {
  const begun = performance.now();
  const { schema } = options;
  const tables = companyOf(options);
  // An error of the thread before it is awaited must not count as unhandled.
  tables.catch(() => undefined);
  await client.query(`CREATE SCHEMA ${pg.escapeIdentifier(schema)}`);
  await client.query(`COMMENT ON SCHEMA ${pg.escapeIdentifier(schema)} IS '${VERSION}'`);
  await client.query(`SET LOCAL search_path TO ${pg.escapeIdentifier(schema)}`);
  const derived = derivedTables();
  for (const file of found(BEFORE)) await client.query(text(file));
  await client.query(tablesSql(derived));
  let rows = 0;
  for (const table of await tables) {
    await fill(client, table);
    rows += table.count;
  }
  for (const file of found(AFTER)) await client.query(text(file));
  await client.query(codesSql(derived));
  return `Sandbox company created in schema ${schema}: ${rows} rows in ${Math.round(performance.now() - begun)} ms`;
}

/** Every table of the company as it was on a day, generated in a separate thread. */
function companyOf({ today = new Date(), workOrders }: SeedOptions): Promise<EncodedTable[]> {
  const { promise, resolve, reject } = Promise.withResolvers<EncodedTable[]>();
  const tables: EncodedTable[] = [];
  const thread = new Worker(new URL('company-thread.ts', import.meta.url), {
    workerData: { seededAt: today.getTime(), workOrders },
  });
  thread.on('message', (table: EncodedTable) => void tables.push(table));
  thread.on('error', reject);
  thread.on('exit', () => resolve(tables));
  return promise;
}

async function fill(client: pg.Client, { table, columns, json }: EncodedTable): Promise<void> {
  const name = pg.escapeIdentifier(table);
  const list = columns.map((column) => pg.escapeIdentifier(column)).join(', ');
  await client.query(`INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, $1)`, [
    json,
  ]);
  await client.query(`ANALYZE ${name}`);
}

/** Files that match the patterns, each once, in the order of the patterns and then by name. */
function found(patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap((pattern) => globSync(pattern, { cwd: packageFolder }).sort()))];
}

function text(file: string): string {
  return readFileSync(`${packageFolder}${file}`, 'utf8');
}

function versionOf(patterns: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of found(patterns)) hash.update(`${file}\n${text(file)}\n`);
  hash.update(JSON.stringify(derivedTables()));
  return hash.digest('hex').slice(0, 12);
}
