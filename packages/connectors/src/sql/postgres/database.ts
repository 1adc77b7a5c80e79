import pg from 'pg';
import type { Row } from '../../driver.ts';
import type { DriverEvents } from '../../protocol.ts';
import { SystemError } from '../../system-error.ts';
import type { Database, Query } from '../dialect/sql-dialect.ts';
import { types } from './decode.ts';
import { failureOf, isAnswer } from './failure.ts';

/** A busy machine, and whoever waits for one of the few connections, may need seconds. */
const CONNECT_MS = 20_000;
/** How long the client waits beyond the server's own timeout before it gives the connection up. */
const GRACE_MS = 5_000;

/** Connects lazily. `statementTimeoutMs` holds for each statement. */
export function openDatabase(url: string, statementTimeoutMs: number, events: DriverEvents): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: 4,
    types,
    application_name: 'unified-connector',
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + GRACE_MS,
    // How days are shown is ours to say; how they are read, and the zone, is what the system's own rules count on.
    onConnect: async (client) => void (await client.query('SET datestyle TO ISO')),
  });
  // A connection that breaks while a statement uses it fails that statement as well; without a listener, Node would end.
  // The pool repeats the event of an idle client.
  pool.on('connect', (client) => client.on('error', (error) => events.connectionBroke?.(error)));
  pool.on('error', () => undefined);
  return {
    query: (text, values) => rowsOf(pool, text, values).catch(rethrow),
    transaction: (work) => transaction(pool, work),
    close: () => pool.end(),
  };
}

async function transaction<T>(pool: pg.Pool, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch(rethrow);
  let committing = false;
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work((text, values) => rowsOf(client, text, values));
    committing = true;
    await client.query('COMMIT');
    return result;
  } catch (cause) {
    // Where the server did not answer, closing the connection undoes the work; asking it to would wait for it again.
    broken = answered(cause) ? await rollback(client) : asError(cause);
    throw failureOf(cause, { committing });
  } finally {
    client.release(broken);
  }
}

/** Undoes the transaction; the error says that the connection is no longer of use. */
async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('ROLLBACK');
    return undefined;
  } catch (cause) {
    return asError(cause);
  }
}

function answered(cause: unknown): boolean {
  return cause instanceof SystemError || isAnswer(cause);
}

function asError(cause: unknown): Error {
  return cause instanceof Error ? cause : new Error('The connection is broken', { cause });
}

async function rowsOf(to: pg.Pool | pg.PoolClient, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  const { rows } = await to.query<Row>(text, [...values]);
  return rows;
}

function rethrow(cause: unknown): never {
  throw failureOf(cause, { committing: false });
}
