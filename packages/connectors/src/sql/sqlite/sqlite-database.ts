import type { SQLInputValue } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import type { Row } from '../../driver.ts';
import { SystemError } from '../../system-error.ts';
import type { Database, DatabaseOptions, Query } from '../dialect/sql-dialect.ts';
import { databaseFile } from './database-file.ts';
import { describe } from './describe.ts';
import { failureOf, isUndone, StatementTimeout } from './sqlite-failure.ts';

/** Data that the thread is started with. `timeout` is how long a statement waits for a lock, in milliseconds. */
export interface ThreadData {
  readonly file: string;
  readonly timeout: number;
  readonly readOnly: boolean;
}

/** A statement that the thread runs. */
export interface Statement {
  readonly id: number;
  readonly text: string;
  readonly values: readonly SQLInputValue[];
}

/** The result of a statement. */
type Result = { readonly id: number } & (
  | { readonly rows: Row[] }
  | { readonly rows?: undefined; readonly errcode: number; readonly message: string }
);

/** How long a statement may exceed its timeout before its thread is ended. */
const GRACE_MS = 1_000;

/**
 * Opens the file lazily, in its own thread. A second thread runs transactions, one after the other, so that no other statement is
 * part of them.
 */
export function openDatabase(url: string, { statementTimeoutMs, readOnly = false }: DatabaseOptions): Database {
  const timeout = statementTimeoutMs + GRACE_MS;
  // A file that a killed process has left within a transaction is restored when it is opened, which changes it.
  const data = { timeout: statementTimeoutMs, readOnly };
  const [reader, writer] = [new LazyThread(url, data), new LazyThread(url, data)];
  const query: Query = async (text, values = []) => reader.running().run(text, values, timeout);
  let last: Promise<unknown> = Promise.resolve();
  return {
    query,
    describe: (select) => describe(query, select),
    transaction(work) {
      if (readOnly) return Promise.reject(onlyRead());
      const result = last.then(() => transaction(writer.running(), timeout, work));
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      await Promise.all([reader.end(), writer.end()]);
    },
  };
}

function onlyRead(): SystemError {
  return new SystemError('forbidden', 'The database is opened for reading only', {
    clientWords: 'The connection is read-only',
  });
}

/** Runs `work` in a transaction that no other process can write during. */
async function transaction<T>(thread: SqliteThread, timeout: number, work: (query: Query) => Promise<T>): Promise<T> {
  const query: Query = (text, values = []) => thread.run(text, values, timeout);
  await query('BEGIN IMMEDIATE');
  let committing = false;
  try {
    const result = await work(query);
    committing = true;
    await query('COMMIT');
    return result;
  } catch (error) {
    // A thread that ended has closed the file, which undoes the work unless it was just being committed.
    if (!thread.isEnded) await query('ROLLBACK').catch(() => thread.end());
    throw committing && !isUndone(error) ? unknownOutcome(error) : error;
  }
}

function unknownOutcome(error: unknown): SystemError {
  const words = error instanceof SystemError ? error.words : 'The database did not respond';
  return new SystemError('unknown', words, { cause: error });
}

/** A thread that is started when it is needed, and again after it has ended. */
class LazyThread {
  readonly #url: string;
  readonly #data: Omit<ThreadData, 'file'>;
  #thread: SqliteThread | undefined;
  #isClosed = false;

  constructor(url: string, data: Omit<ThreadData, 'file'>) {
    this.#url = url;
    this.#data = data;
  }

  /** Throws `SystemError` if the file is not one that may be opened, or after `end`. */
  running(): SqliteThread {
    if (this.#isClosed) throw unavailable('The connection was closed');
    if (this.#thread?.isEnded !== false) {
      const file = databaseFile(this.#url, process.env.SQLITE_FOLDER);
      this.#thread = new SqliteThread({ file, ...this.#data });
    }
    return this.#thread;
  }

  async end(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.end();
  }
}

/** SQLite has no booleans. */
function parameterOf(value: unknown): SQLInputValue {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : null;
}

interface Waiting {
  resolve(rows: Row[]): void;
  reject(error: SystemError): void;
}

/** A thread with the statements that it has not finished. */
class SqliteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;
  isEnded = false;

  constructor(workerData: ThreadData) {
    this.#worker = new Worker(new URL('sqlite-thread.ts', import.meta.url), { workerData });
    this.#worker.unref();
    this.#worker.on('message', (result: Result) => this.#settle(result));
    this.#worker.on('error', (error) => this.#fail(error.message));
    this.#worker.on('exit', () => this.#fail('The thread of the database ended'));
  }

  async run(text: string, values: readonly unknown[], timeout: number): Promise<Row[]> {
    // A thread that ended would not respond.
    if (this.isEnded) throw unavailable('The connection was closed');
    this.#count += 1;
    const id = this.#count;
    const words = 'The database took too long';
    const late = setTimeout(() => void this.end(words, new StatementTimeout(words)), timeout);
    this.#worker.ref();
    try {
      return await new Promise<Row[]>((resolve, reject) => {
        this.#waiting.set(id, { resolve, reject });
        this.#worker.postMessage({ id, text, values: values.map(parameterOf) } satisfies Statement);
      });
    } finally {
      clearTimeout(late);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) this.#worker.unref();
    }
  }

  /** Ends the thread; statements in progress fail. */
  async end(words = 'The connection was closed', cause?: StatementTimeout): Promise<void> {
    // It is already ending, which takes as long as its statement.
    if (this.isEnded) return;
    this.#fail(words, cause);
    await this.#worker.terminate();
  }

  #settle(result: Result): void {
    const waiting = this.#waiting.get(result.id);
    if (result.rows) waiting?.resolve(result.rows);
    else waiting?.reject(failureOf(result.errcode, result.message));
  }

  #fail(words: string, cause?: StatementTimeout): void {
    this.isEnded = true;
    for (const { reject } of this.#waiting.values()) reject(unavailable(words, cause));
  }
}

function unavailable(words: string, cause?: StatementTimeout): SystemError {
  return new SystemError('unavailable', words, { clientWords: 'The connected system is not available', cause });
}
