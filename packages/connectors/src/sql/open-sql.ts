import type { RowContents } from '../content.ts';
import type { Column, Driver, Intent, PullRequest, Row, StreamProbe } from '../driver.ts';
import type { Json } from '../json.ts';
import type { WriteOperation } from '../mapping/mapping.ts';
import type { Platform, Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { act } from './act.ts';
import { lookUp, nameOf } from './catalog.ts';
import { rowContents } from './content.ts';
import { type Database, openDatabase, type Query } from './database.ts';
import { codeOf } from './failure.ts';
import { noJournal, type WriteJournal, writeJournal } from './journal.ts';
import { keyValues } from './key.ts';
import { markOf } from './mark.ts';
import { type PlatformOptions, platformOptions, type StreamOptions, streamOptions } from './options.ts';
import { notesOn, readableColumns } from './probe.ts';
import { actionProblems } from './probe-action.ts';
import { notesOnWrites } from './probe-write.ts';
import { pull } from './pull.ts';
import { quote } from './quote.ts';
import { relationOf } from './relation.ts';
import { rowOf, selection } from './selection.ts';
import { Sources } from './sources.ts';
import { equal } from './statements.ts';
import { cursorsOf, type Source, type Target, tableOf, targetOf, viewOf } from './target.ts';
import { notesOnKey } from './unique-key.ts';
import { create, findByValues, remove, update } from './write.ts';
import { writeRefusal } from './write-refusal.ts';

const UNIQUE_VIOLATION = '23505';

/**
 * Driver for systems that are reached through their PostgreSQL database.
 *
 * Settings: `url` (postgres://…, secret), `schema` and `timezone`, each as the platform offers them. Every change is one transaction together with its note in the
 * journal, so that a repeated write is noticed inside the system itself. What the database refuses (constraints,
 * `RAISE EXCEPTION`) is `rejected`; see `writeRefusal` for its words and `failureOf` for the rest.
 */
export function openSql(platform: Platform, settings: Readonly<Record<string, Json>>): Driver {
  const { timezone } = settings;
  const options = { ...platformOptions(platform), ...(typeof timezone === 'string' && { timezone }) };
  const schema = typeof settings.schema === 'string' ? settings.schema : options.schema;
  const streams = new Map(platform.streams.map((stream) => [stream.name, streamOptions(stream, platform)]));
  const database = openDatabase(String(settings.url), options.statementTimeoutMs);
  return new SqlDriver(database, schema, streams, { ...options, writes: writesOf(platform) });
}

/** What the mappings of a stream let clients do to its rows. */
type WritesByStream = ReadonlyMap<string, ReadonlySet<WriteOperation>>;

function writesOf({ mappings }: Platform): WritesByStream {
  const byStream = Map.groupBy(Object.values(mappings), ({ stream }) => stream);
  return new Map([...byStream].map(([stream, all]) => [stream, new Set(all.flatMap(({ writes }) => [...writes]))]));
}

class SqlDriver implements Driver {
  readonly settleAfterMs: number;
  readonly #database: Database;
  readonly #schema: string;
  readonly #streams: ReadonlyMap<string, StreamOptions>;
  readonly #journal: WriteJournal;
  readonly #hasJournal: boolean;
  readonly #overlap: number;
  readonly #sources: Sources;
  readonly #writes: WritesByStream;
  readonly contents: RowContents;

  constructor(
    database: Database,
    schema: string,
    streams: ReadonlyMap<string, StreamOptions>,
    options: PlatformOptions & { readonly writes: WritesByStream },
  ) {
    this.#database = database;
    this.#schema = schema;
    this.#streams = streams;
    this.#journal = options.journal ? writeJournal(schema, options.journal) : noJournal;
    this.#hasJournal = options.journal !== undefined;
    this.settleAfterMs = options.statementTimeoutMs;
    this.#writes = options.writes;
    this.#overlap = options.cursorOverlapSeconds;
    this.#sources = new Sources(database.query, schema, options.timezone);
    this.contents = rowContents(database.query, schema, (stream) => this.#options(stream));
  }

  async check(): Promise<void> {
    const views = [...this.#streams.values()].map(({ view }) => relationOf(view, this.#schema));
    const catalog = await lookUp(this.#database.query, views);
    const missing = views.filter(({ sql }) => !catalog.has(sql)).map(nameOf);
    if (missing.length > 0) throw new SystemError('rejected', `The database has no ${missing.join(', ')}`);
  }

  async columns(stream: Stream): Promise<readonly Column[]> {
    this.#sources.forget(stream);
    return readableColumns(await this.#source(stream));
  }

  async probe(stream: Stream, actions: readonly string[]): Promise<StreamProbe> {
    const { query } = this.#database;
    await this.columns(stream);
    const source = await this.#source(stream);
    const { rows } = await this.pull({ stream, mode: 'full', since: null, from: null, limit: 1 });
    if (stream.cursor !== undefined) {
      await this.pull({ stream, mode: 'incremental', since: await this.mark(stream), from: null, limit: 1 });
    }
    const keyNotes = await notesOnKey(query, source);
    const problems = await actionProblems(query, source, actions);
    const writeNotes = await notesOnWrites(query, source, this.#writes.get(stream.name) ?? new Set());
    return {
      sample: rows[0] ?? null,
      problems,
      notes: [...keyNotes, ...writeNotes, ...(await notesOn(query, stream))],
    };
  }

  async pull(request: PullRequest) {
    if (request.signal?.aborted) throw new SystemError('unavailable', 'The pass was stopped');
    return pull(this.#database.query, await this.#source(request.stream), request);
  }

  async mark(stream: Stream, previous: Json | null = null): Promise<Json> {
    this.#sources.forget(stream);
    return markOf(this.#database.query, cursorsOf(await this.#source(stream)), this.#overlap, previous);
  }

  async read(stream: Stream, key: string): Promise<Row | null> {
    const source = await this.#source(stream);
    const values: unknown[] = [];
    const selected = selection(source, values);
    const [row] = await this.#database.query(
      `SELECT ${selected} FROM ${viewOf(source).sql} AS t WHERE ${equal(stream.key, values.length)}`,
      [...values, ...keyValues(key, stream.key)],
    );
    return row ? rowOf(source, row) : null;
  }

  async prepareCreate(stream: Stream, _writeId: string): Promise<Json> {
    if (this.#hasJournal) return null;
    const column = quote(stream.key[0] ?? '');
    const table = tableOf(await this.#source(stream));
    const [row] = await this.#database.query(`SELECT max(${column})::text AS last FROM ${table}`);
    return (row?.last as string | null) ?? null;
  }

  async create(stream: Stream, values: Row, intent: Intent): Promise<{ key: string }> {
    const source = await this.#source(stream);
    const key = await this.#once(stream, intent, async (query) => create(query, source, values));
    return { key };
  }

  async findCreated(stream: Stream, values: Row, intent: Intent): Promise<{ key: string } | null> {
    const { query } = this.#database;
    const key = this.#hasJournal
      ? await this.#journal.find(query, stream.name, intent.writeId)
      : await findByValues(query, await this.#source(stream), values, intent);
    return key === null ? null : { key };
  }

  async update(stream: Stream, key: string, values: Row, intent: Intent): Promise<void> {
    await this.#change(stream, key, intent, (query, target) => update(query, target, values));
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

  #source(stream: Stream): Promise<Source> {
    return this.#sources.of(stream, this.#options(stream));
  }

  async #change(
    stream: Stream,
    key: string,
    intent: Intent,
    work: (query: Query, target: Target) => Promise<void>,
  ): Promise<void> {
    const target = targetOf(await this.#source(stream), key);
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
      const refusal = () => writeRefusal(error, relationOf(this.#options(stream).table, '').name);
      if (codeOf((error as Error).cause) !== UNIQUE_VIOLATION) throw refusal();
      const meanwhile = await this.#journal.find(query, stream.name, intent.writeId);
      if (meanwhile === null) throw refusal();
      return meanwhile;
    }
  }
}
