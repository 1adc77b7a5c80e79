import type { RowContents } from '../content.ts';
import type { Driver, Intent, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { act } from './act.ts';
import { findContent, readContent } from './content.ts';
import { type Database, openDatabase, type Query } from './database.ts';
import { codeOf } from './failure.ts';
import { noJournal, type WriteJournal, writeJournal } from './journal.ts';
import { keyValues } from './key.ts';
import { type PlatformOptions, platformOptions, type StreamOptions, streamOptions } from './options.ts';
import { pull } from './pull.ts';
import { quote } from './quote.ts';
import { selection } from './selection.ts';
import { equal } from './statements.ts';
import { type Source, type Target, tableOf, targetOf } from './target.ts';
import { create, findByValues, remove, update } from './write.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Driver for systems that are reached through their PostgreSQL database.
 *
 * Settings: `url` (postgres://…, secret) and `schema`. Every change is one transaction together with its note in the
 * journal, so that a repeated write is noticed inside the system itself. What the database refuses (constraints,
 * `RAISE EXCEPTION`) is `rejected` in the database's own words; see `failureOf` for the rest.
 */
export function openSql(platform: Platform, settings: Readonly<Record<string, Json>>): Driver {
  const options = platformOptions(platform);
  const schema = typeof settings.schema === 'string' ? settings.schema : options.schema;
  const streams = new Map(platform.streams.map((stream) => [stream.name, streamOptions(stream, platform)]));
  const database = openDatabase(String(settings.url), options.statementTimeoutMs);
  return new SqlDriver(database, schema, streams, options);
}

class SqlDriver implements Driver {
  readonly settleAfterMs: number;
  readonly #database: Database;
  readonly #schema: string;
  readonly #streams: ReadonlyMap<string, StreamOptions>;
  readonly #journal: WriteJournal;
  readonly #hasJournal: boolean;
  readonly #overlap: number;
  readonly contents: RowContents = {
    find: async (stream, key) => {
      const { content } = this.#options(stream);
      return content === undefined ? null : findContent(this.#database.query, this.#target(stream, key), content);
    },
    read: (stream, key, range) => {
      const { content } = this.#options(stream);
      if (content === undefined) throw new SystemError('rejected', `${stream.name} has no bytes`);
      return readContent(this.#database.query, this.#target(stream, key), content, range);
    },
  };

  constructor(
    database: Database,
    schema: string,
    streams: ReadonlyMap<string, StreamOptions>,
    options: PlatformOptions,
  ) {
    this.#database = database;
    this.#schema = schema;
    this.#streams = streams;
    this.#journal = options.journal ? writeJournal(schema, options.journal) : noJournal;
    this.#hasJournal = options.journal !== undefined;
    this.settleAfterMs = options.statementTimeoutMs;
    this.#overlap = options.cursorOverlapSeconds;
  }

  async check(): Promise<void> {
    const names = [...this.#streams.values()].map(({ view }) => view);
    const rows = await this.#database.query(
      `SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(format('%I.%I', $2::text, name)) IS NULL`,
      [names, this.#schema],
    );
    if (rows.length === 0) return;
    const missing = rows.map(({ name }) => name).join(', ');
    throw new SystemError('rejected', `Schema ${this.#schema} has no ${missing}`);
  }

  async pull(request: Parameters<Driver['pull']>[0]) {
    if (request.signal?.aborted) throw new SystemError('unavailable', 'The pass was stopped');
    return pull(this.#database.query, this.#schema, this.#options(request.stream), request);
  }

  /** A moment before every transaction that may still commit rows stamped with its own beginning. */
  async mark(_: Stream): Promise<Json> {
    const [row] = await this.#database.query(
      `SELECT to_json(least(min(xact_start), clock_timestamp() - make_interval(secs => $1)))#>>'{}' AS mark
       FROM pg_stat_activity WHERE datname = current_database()`,
      [this.#overlap],
    );
    return String(row?.mark);
  }

  async read(stream: Stream, key: string): Promise<Row | null> {
    const options = this.#options(stream);
    const { text, values } = selection(this.#schema, options);
    const [row] = await this.#database.query(
      `SELECT ${text} FROM ${quote(this.#schema)}.${quote(options.view)} AS t WHERE ${equal(stream.key, values.length)}`,
      [...values, ...keyValues(key, stream.key)],
    );
    return row ?? null;
  }

  async prepareCreate(stream: Stream, _writeId: string): Promise<Json> {
    if (this.#hasJournal) return null;
    const column = quote(stream.key[0] ?? '');
    const table = tableOf(this.#source(stream));
    const [row] = await this.#database.query(`SELECT max(${column})::text AS last FROM ${table}`);
    return (row?.last as string | null) ?? null;
  }

  async create(stream: Stream, values: Row, intent: Intent): Promise<{ key: string }> {
    const key = await this.#once(stream, intent, async (query) => create(query, this.#source(stream), values));
    return { key };
  }

  async findCreated(stream: Stream, values: Row, intent: Intent): Promise<{ key: string } | null> {
    const { query } = this.#database;
    const key = this.#hasJournal
      ? await this.#journal.find(query, stream.name, intent.writeId)
      : await findByValues(query, this.#source(stream), values, intent);
    return key === null ? null : { key };
  }

  async update(stream: Stream, key: string, values: Row, intent: Intent): Promise<void> {
    await this.#change(stream, key, intent, (query, target) => update(query, target, this.#options(stream), values));
  }

  async remove(stream: Stream, key: string, intent: Intent): Promise<void> {
    await this.#change(stream, key, intent, remove);
  }

  async act(stream: Stream, key: string, action: string, values: Row, intent: Intent): Promise<void> {
    const { actions } = this.#options(stream);
    const declared = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!declared) throw new SystemError('rejected', `${stream.name} has no action ${action}`);
    await this.#change(stream, key, intent, (query, target) => act(query, target, declared, values));
  }

  close(): Promise<void> {
    return this.#database.close();
  }

  #options(stream: Stream): StreamOptions {
    const options = this.#streams.get(stream.name);
    if (!options) throw new SystemError('rejected', `There is no stream ${stream.name}`);
    return options;
  }

  #source(stream: Stream): Source {
    return { schema: this.#schema, stream, options: this.#options(stream) };
  }

  #target(stream: Stream, key: string): Target {
    return targetOf(this.#source(stream), key);
  }

  async #change(
    stream: Stream,
    key: string,
    intent: Intent,
    work: (query: Query, target: Target) => Promise<void>,
  ): Promise<void> {
    const target = this.#target(stream, key);
    await this.#once(stream, intent, async (query) => {
      await work(query, target);
      return key;
    });
  }

  /** Does the work unless this write has been done before, also at the same time by somebody else. */
  async #once(stream: Stream, intent: Intent, work: (query: Query) => Promise<string>): Promise<string> {
    const { query } = this.#database;
    const done = await this.#journal.find(query, stream.name, intent.writeId);
    if (done !== null) return done;
    try {
      return await this.#database.transaction(async (inside) => {
        const key = await work(inside);
        await this.#journal.note(inside, stream.name, key, intent);
        return key;
      });
    } catch (error) {
      if (codeOf((error as Error).cause) !== UNIQUE_VIOLATION) throw error;
      const meanwhile = await this.#journal.find(query, stream.name, intent.writeId);
      if (meanwhile === null) throw error;
      return meanwhile;
    }
  }
}
