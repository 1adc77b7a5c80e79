import type { Duplex } from 'node:stream';
import type { PoolConnection } from 'mysql2';
import type { PoolConnection as PromiseConnection, Pool as PromisePool } from 'mysql2/promise';
import type { Row } from '../../driver.ts';
import { GuardedSocket } from '../../net/guarded-socket.ts';
import { ReceivedBytes } from '../../net/received-bytes.ts';
import { SystemError } from '../../system-error.ts';
import type { Database, DatabaseOptions, Query } from '../dialect/sql-dialect.ts';
import { rowOf } from './decode.ts';
import { columnOf } from './describe.ts';
import { failureOf } from './failure.ts';
import { numberOf } from './failure-number.ts';
import { inTime } from './in-time.ts';
import { addressOf } from './mysql-address.ts';
import { prepareSession } from './mysql-session.ts';
import { positional } from './parameters.ts';
import { RelayedSocket } from './relayed-socket.ts';

/** Generous, because the machine may be busy and the connections are few. */
const CONNECT_MS = 20_000;
/** How long the client waits for a response beyond the server's own timeout before it closes the connection. */
const GRACE_MS = 5_000;

/** Connects lazily, and only to addresses that may be called. */
export function openDatabase(url: string, options: DatabaseOptions): Database {
  const timeout = options.statementTimeoutMs + GRACE_MS;
  const sockets = new Set<GuardedSocket>();
  let pool: Promise<PromisePool> | undefined;
  const withConnection = async <T>(work: (connection: PromiseConnection) => Promise<T>): Promise<T> => {
    pool ??= poolOf(url, options, sockets);
    const connection = await (await pool).getConnection().catch(rethrow);
    let usable = false;
    try {
      await inTime(prepareSession(connection, options), timeout);
      const result = await work(connection);
      usable = true;
      return result;
    } catch (cause) {
      // After a failure of the connection itself, closing it undoes the work.
      usable = isReported(cause);
      throw failureOf(cause, { committing: false });
    } finally {
      if (usable) connection.release();
      else destroy(connection);
    }
  };
  return {
    query: (text, values) => withConnection((connection) => rowsOf(connection, timeout, text, values)),
    describe: (select) =>
      withConnection(async (connection) => {
        const [, fields] = await inTime(connection.execute(`${select} LIMIT 0`), timeout);
        return fields.map(columnOf);
      }),
    select: (text, values, limit) => withConnection((connection) => select(connection, timeout, text, values, limit)),
    transaction: (work) => withConnection((connection) => transaction(connection, timeout, work)),
    async close() {
      const ended = pool?.then((each) => each.end());
      // Ending a connection would wait for its command, or for a server that does not respond. The command reports the failure.
      for (const socket of sockets) socket.destroy();
      await ended?.catch(() => undefined);
    },
  };
}

/** Closes a connection without waiting: `destroy` of the client waits until the server closes it as well. */
function destroy(connection: PromiseConnection): void {
  connection.destroy();
  (connection.connection as unknown as { readonly stream: Duplex }).stream.destroy();
}

/** `sockets` are those that are open. */
async function poolOf(
  url: string,
  { maxReceivedBytes, events, rules }: DatabaseOptions,
  sockets: Set<GuardedSocket>,
): Promise<PromisePool> {
  // Loaded on first use: a process without connections to MySQL does not need it.
  const { createPool } = await import('mysql2');
  const received = maxReceivedBytes === undefined ? undefined : new ReceivedBytes(maxReceivedBytes);
  const { host, port, ...login } = addressOf(url);
  const pool = createPool({
    ...{ host, port, ...login },
    stream: () => {
      const socket = new GuardedSocket(rules);
      sockets.add(socket.on('close', () => sockets.delete(socket)));
      received?.watch(socket);
      socket.connect(port, host);
      return received && login.ssl ? new RelayedSocket(socket) : socket;
    },
    ...{ connectionLimit: 4, connectTimeout: CONNECT_MS, maxPreparedStatements: 100, charset: 'utf8mb4' },
    // Every value as in the database: the client would round large numbers and shift dates.
    ...{ supportBigNumbers: true, bigNumberStrings: true, dateStrings: true, jsonStrings: true, timezone: 'Z' },
    // Otherwise, a server could request files from this machine.
    flags: ['-LOCAL_FILES'],
  });
  pool.on('connection', (connection: PoolConnection) => {
    // A connection that breaks while a statement uses it fails that statement as well.
    connection.on('error', (error: Error) => events.connectionBroke?.(error));
  });
  return pool.promise();
}

async function transaction<T>(
  connection: PromiseConnection,
  timeout: number,
  work: (query: Query) => Promise<T>,
): Promise<T> {
  let committing = false;
  try {
    // As in PostgreSQL: each statement sees what others have committed, such as rows that were added to a list.
    await inTime(connection.query('SET TRANSACTION ISOLATION LEVEL READ COMMITTED'), timeout);
    await inTime(connection.query('START TRANSACTION'), timeout);
    const result = await work((text, values, columns) => rowsOf(connection, timeout, text, values, columns));
    committing = true;
    await inTime(connection.query('COMMIT'), timeout);
    return result;
  } catch (cause) {
    const failure = failureOf(cause, { committing });
    // Without a response from the server, the caller closes the connection instead.
    if (isReported(cause)) await inTime(connection.query('ROLLBACK'), timeout).catch(() => destroy(connection));
    throw failure;
  }
}

/**
 * The prepared statement protocol accepts only one statement, and the transaction refuses every change. It does not refuse
 * writing files (`INTO OUTFILE`), so the word INTO is refused wherever it occurs.
 */
async function select(
  connection: PromiseConnection,
  timeout: number,
  text: string,
  values: readonly unknown[],
  limit: number,
): Promise<Row[]> {
  if (/\binto\b/i.test(text)) {
    throw new SystemError(
      'rejected',
      'The statement contains the word INTO. Send a text that contains it as a parameter',
    );
  }
  await inTime(connection.query('START TRANSACTION READ ONLY'), timeout);
  try {
    return await rowsOf(connection, timeout, `SELECT * FROM (\n${text}\n) AS passthrough LIMIT ${limit}`, values);
  } finally {
    await inTime(connection.query('ROLLBACK'), timeout).catch(() => undefined);
  }
}

/** Whether the connection can still be used, because the server reported the failure or the work was refused on this side. */
function isReported(cause: unknown): boolean {
  const original = cause instanceof SystemError && cause.cause !== undefined ? cause.cause : cause;
  return cause instanceof SystemError && original === cause ? cause.kind !== 'invalid' : numberOf(original) !== 0;
}

async function rowsOf(
  connection: PromiseConnection,
  timeout: number,
  given: string,
  parameters: readonly unknown[] = [],
  columns: readonly string[] = [],
): Promise<Row[]> {
  const { text, values } = positional(given, parameters);
  try {
    const execution = connection.execute({ sql: text, rowsAsArray: true }, values as string[]);
    const [rows, fields] = await inTime(execution, timeout);
    return Array.isArray(rows) ? rows.map((row) => rowOf(row as unknown[], fields ?? [])) : [];
  } catch (cause) {
    throw failureOf(cause, { committing: false, columns: columnsIn(cause, columns) });
  }
}

/** The column that a failure is about, if it is one of the columns that take the values of the statement. */
function columnsIn(cause: unknown, columns: readonly string[]): readonly string[] {
  const [, named] =
    /\b[Cc]olumn (?:`[^`]*`\.`[^`]*`\.)?['`]([^'`]+)['`]/.exec(cause instanceof Error ? cause.message : '') ?? [];
  return named !== undefined && columns.includes(named) ? [named] : [];
}

function rethrow(cause: unknown): never {
  throw failureOf(cause, { committing: false });
}
