import pg from 'pg';
import type { Row } from '../../driver.ts';
import { GuardedSocket } from '../../net/guarded-socket.ts';
import { ReceivedBytes } from '../../net/received-bytes.ts';
import { SystemError } from '../../system-error.ts';
import type { Database, DatabaseOptions, Query } from '../dialect/sql-dialect.ts';
import { types } from './decode.ts';
import { describe } from './describe.ts';
import { failureOf, isReported } from './failure.ts';

/** Generous, because the machine may be busy and the connections are few. */
const CONNECT_MS = 20_000;
/** How long the client waits beyond the server's own timeout before it closes the connection. */
const GRACE_MS = 5_000;

/** Connects lazily, and only to addresses that may be called. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const { statementTimeoutMs, readOnly = false, maxReceivedBytes, events, rules } = options;
  const received = maxReceivedBytes === undefined ? undefined : new ReceivedBytes(maxReceivedBytes);
  const pool = new pg.Pool({
    connectionString: url,
    Client: clientOf(url, received),
    stream: () => new GuardedSocket(rules),
    max: 4,
    types,
    application_name: 'unified-connector',
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: statementTimeoutMs + GRACE_MS,
    // Only the output of dates is set: rules of the system may depend on the input format and the zone. PgBouncer refuses a
    // `statement_timeout` when a client connects.
    onConnect: async (client) => {
      await client.query(`SET datestyle TO ISO; SET statement_timeout TO ${statementTimeoutMs}`);
      if (readOnly) await client.query('SET default_transaction_read_only TO on');
    },
  });
  // A connection that breaks while a statement uses it fails that statement as well; without a listener, Node would
  // exit. The pool repeats the event of an idle client.
  pool.on('connect', (client) => client.on('error', (error) => events.connectionBroke?.(error)));
  pool.on('error', () => undefined);
  return {
    query: (text, values) => rowsOf(pool, text, values).catch(rethrow),
    describe: (select) => describe(pool, select).catch(rethrow),
    select: (text, values, limit) => select(pool, text, values, limit),
    transaction: (work) => transaction(pool, work),
    close: () => pool.end(),
  };
}

/**
 * A client that signs in only with the credentials of the connection string. On its own, `pg` would send those of the service's
 * environment and password file to any host. The bytes that it receives are counted.
 */
function clientOf(url: string, received: ReceivedBytes | undefined): typeof pg.Client {
  // Without a host, `URL` accepts no credentials.
  const address = URL.parse(url) ?? URL.parse(url.replace('@/', '@localhost/'));
  const has = (parameter: string) => Boolean(address?.searchParams.getAll(parameter).at(-1));
  const absent = {
    ...(!address?.username && !has('user') && { user: '' }),
    ...(!address?.password && !has('password') && { password: '' }),
  };
  return class extends pg.Client {
    declare readonly connectionParameters: object;
    constructor(config?: pg.ClientConfig) {
      super(config);
      received?.watch(this.connection.stream);
      // By then, the stream is the one that decrypts.
      this.connection.once('sslconnect', () => received?.watch(this.connection.stream));
      Object.assign(this, absent);
      Object.assign(this.connectionParameters, absent);
    }
  };
}

async function transaction<T>(pool: pg.Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(rethrow);
  let committing = false;
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work((text, values, columns) => rowsOf(client, text, values, columns));
    committing = true;
    await client.query('COMMIT');
    return result;
  } catch (cause) {
    // Without a response from the server, closing the connection undoes the work; a ROLLBACK would wait for the server again.
    broken = isResponse(cause) ? await rollback(client) : asError(cause);
    throw failureOf(cause, { committing });
  } finally {
    client.release(broken);
  }
}

/**
 * Only a SELECT can be declared as a cursor, and the extended protocol accepts only one statement, so the text cannot end the
 * transaction. The connection is closed, which also releases its locks.
 */
async function select(pool: pg.Pool, text: string, values: readonly unknown[], limit: number): Promise<Row[]> {
  const client = await pool.connect().catch(rethrow);
  try {
    await client.query('BEGIN TRANSACTION READ ONLY');
    const declaration = `DECLARE passthrough NO SCROLL CURSOR FOR\n${text}`;
    // An option of the client that is missing from its types. Without it, a text without parameters could contain several
    // statements.
    const extended = { text: declaration, values: [...values], queryMode: 'extended' };
    await client.query(extended);
    return await rowsOf(client, `FETCH ${limit} FROM passthrough`);
  } catch (cause) {
    throw failureOf(cause, { committing: false });
  } finally {
    client.release(true);
  }
}

/** Undoes the transaction; an error means that the connection can no longer be used. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (cause) {
    return asError(cause);
  }
}

function isResponse(cause: unknown): boolean {
  return cause instanceof SystemError || isReported(cause);
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('The connection is broken', { cause });
}

async function rowsOf(
  to: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  columns: readonly string[] = [],
): Promise<Row[]> {
  try {
    const { rows } = await to.query<Row>(text, [...values]);
    return rows;
  } catch (cause) {
    const column = columns[parameterIn(cause) - 1];
    throw column === undefined ? cause : failureOf(cause, { committing: false, columns: [column] });
  }
}

/** Number of the parameter that cannot be converted to the type of its column; 0 if the failure is not about one. */
function parameterIn(cause: unknown): number {
  const where = cause instanceof pg.DatabaseError ? cause.where : undefined;
  return Number(/\$(\d+)/.exec(where ?? '')?.[1] ?? 0);
}

function rethrow(cause: unknown): never {
  throw failureOf(cause, { committing: false });
}
