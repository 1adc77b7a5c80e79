import { nearest } from '@unified/contract';
import { SystemError } from '../system-error.ts';
import type { Database, SqlDialect } from './dialect/sql-dialect.ts';
import type { StreamOptions } from './options.ts';
import { LACKS_PART, nameOf, relationOf, relationOfQuery } from './relation.ts';

/**
 * Checks that the database can be opened, has the tables and views that streams read, and can run their queries. Reads no rows.
 *
 * @throws SystemError `unauthorized` if it has no table of any stream and no such schema; otherwise `rejected` with the tables
 *   and views that it lacks, or with the first query that it refuses
 */
export async function checkStreams(
  dialect: SqlDialect,
  database: Database,
  schema: string,
  streams: ReadonlyMap<string, StreamOptions>,
): Promise<void> {
  const options = [...streams.values()];
  const views = options.flatMap(({ query, view }) => (query === undefined ? [relationOf(dialect, view, schema)] : []));
  // Some databases are opened only by a statement that reads their schema.
  if (options.length === 0) await dialect.catalog.tables(database.query, null, 1);
  const catalog = await dialect.catalog.lookUp(database.query, views);
  const missing = views.filter(({ sql }) => !catalog.has(sql)).map(nameOf);
  if (missing.length > 0 && missing.length === views.length) await refuseSchema(dialect, database, schema);
  if (missing.length > 0)
    throw new SystemError('rejected', `The database has no ${missing.join(', ')}`, { clientWords: LACKS_PART });
  for (const [name, { query }] of streams) if (query !== undefined) await checkQuery(database, name, query);
}

/** Number of tables among which a schema is searched. */
const SEARCHED = 2_000;
/** Number of schemas that are named. */
const NAMED = 10;

/** Refuses a schema in which the login can read no table: an error for each stream would hide the reason. */
async function refuseSchema(dialect: SqlDialect, database: Database, schema: string): Promise<void> {
  const tables = await dialect.catalog.tables(database.query, null, SEARCHED);
  const schemas = [...new Set(tables.map((table) => table.schema))];
  if (schemas.length === 0 || schemas.includes(schema) || tables.length === SEARCHED) return;
  const meant = nearest(schema, schemas);
  const problem = `There is no schema "${schema}" with a table that the login can read.`;
  const named = schemas.slice(0, NAMED).join(', ') + (schemas.length > NAMED ? ' …' : '');
  const remedy = meant === undefined ? `Use one of ${named}.` : `Did you mean "${meant}"?`;
  throw new SystemError('unauthorized', problem.slice(0, -1), {
    clientWords: 'The connected system does not have the schema of the connection',
    explanation: { problem, remedy },
  });
}

async function checkQuery(database: Database, stream: string, query: string): Promise<void> {
  try {
    await database.describe(`SELECT * FROM ${relationOfQuery(query).sql} AS t`);
  } catch (error) {
    if (!(error instanceof SystemError) || error.kind !== 'rejected') throw error;
    const words = `The query of ${stream} cannot be run: ${error.words}`;
    throw new SystemError('rejected', words, { clientWords: LACKS_PART, cause: error });
  }
}
