import type { Column, Driver, Intent, PulledPage, PullRequest, Row, StreamProbe } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Platform, Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { press } from './buttons.ts';
import { ChangingCalls } from './changing-calls.ts';
import { Completer } from './completer.ts';
import { isCreatedWith } from './created-record.ts';
import { columns, probe } from './probe.ts';
import { pull } from './pull.ts';
import { RecordWriter } from './record-writer.ts';
import { RelatedRecords } from './related-records.ts';
import { Roles } from './roles.ts';
import { RowReader } from './row-reader.ts';
import { Schemas } from './schemas.ts';
import { TrytonSession } from './session.ts';
import { readSettings } from './settings.ts';
import { optionsOf, type PlatformOptions } from './stream-options.ts';
import { ValuesEncoder } from './values-encoder.ts';
import { isWireObject, type Wire } from './wire.ts';

/** Opens a link to a database of Tryton (6.0 and its like) over JSON-RPC. Nothing is called until it is used. */
export function openTryton(platform: Platform, settings: Readonly<Record<string, Json>>): TrytonDriver {
  return new TrytonDriver(platform.options as PlatformOptions, settings);
}

/** The driver of Tryton; see `Driver` for what each method promises. */
export class TrytonDriver implements Driver {
  /**
   * Milliseconds after sending for which a request without an answer may still take effect. Twice the time that we wait,
   * as Tryton goes on working when the caller has gone.
   */
  readonly settleAfterMs: number;
  readonly #session: TrytonSession;
  readonly #roles: Roles;
  readonly #reader: RowReader;
  readonly #calls: ChangingCalls;
  readonly #encoder: ValuesEncoder;
  readonly #schemas: Schemas;
  readonly #writer: RecordWriter;
  readonly #overlapMs: number;

  constructor(platform: PlatformOptions, settings: Readonly<Record<string, Json>>) {
    const { timeoutMs, ...rest } = readSettings(settings);
    this.settleAfterMs = 2 * timeoutMs;
    this.#overlapMs = (platform.overlapSeconds ?? 300) * 1000;
    this.#session = new TrytonSession({ timeoutMs, ...rest });
    this.#schemas = new Schemas(this.#session);
    this.#roles = new Roles(this.#session, this.#schemas, platform.roles);
    this.#reader = new RowReader(this.#session, this.#schemas, this.#roles);
    this.#calls = new ChangingCalls(this.#session, platform.confirmWarnings ?? []);
    const related = new RelatedRecords(this.#session);
    this.#encoder = new ValuesEncoder(this.#schemas, related);
    this.#writer = new RecordWriter({
      calls: this.#calls,
      reader: this.#reader,
      roles: this.#roles,
      related,
      encoder: this.#encoder,
      completer: new Completer(this.#session, this.#schemas),
    });
  }

  async check(): Promise<void> {
    await this.#session.userId();
  }

  columns(stream: Stream): Promise<readonly Column[] | null> {
    return columns(this.#parts, optionsOf(stream));
  }

  probe(stream: Stream, actions: readonly string[]): Promise<StreamProbe> {
    return probe(this.#parts, optionsOf(stream), actions);
  }

  pull(request: PullRequest): Promise<PulledPage> {
    return pull(this.#reader, this.#roles, request);
  }

  async mark(): Promise<Json> {
    return new Date((await this.#session.serverTime()) - this.#overlapMs).toISOString();
  }

  async read(stream: Stream, key: string): Promise<Row | null> {
    if (!/^\d{1,15}$/.test(key)) return null;
    const [row] = await this.#reader.search(optionsOf(stream), [['id', '=', Number(key)]], 1);
    return row ?? null;
  }

  /** The highest id so far: what we create gets a higher one. */
  async prepareCreate(stream: Stream): Promise<Json> {
    const params: Wire[] = [[], 0, 1, [['id', 'DESC']]];
    const ids = await this.#session.call(optionsOf(stream).model, 'search', params, {
      context: { active_test: false },
    });
    return { after: Array.isArray(ids) ? Number(ids[0] ?? 0) : 0 };
  }

  async create(stream: Stream, values: Row): Promise<{ key: string }> {
    return { key: String(await this.#writer.create(optionsOf(stream), values)) };
  }

  /**
   * Among the records that our user created since `prepareCreate`, the first one with the values that were sent. That
   * there is none is only certain when the request can no longer take effect: until then it is `unavailable`.
   */
  async findCreated(stream: Stream, values: Row, { prepared, sentAt }: Intent): Promise<{ key: string } | null> {
    const options = optionsOf(stream);
    const waitMs = Date.parse(sentAt) + this.settleAfterMs - Date.now();
    const schema = await this.#schemas.of(options.model);
    const sent = Object.entries(values).filter(([name]) => schema.has(name) && !options.firsts?.[name]);
    const encoded = await this.#encoder.encode(options.model, Object.fromEntries(sent));
    const after = isWireObject(prepared) ? Number(prepared.after) : 0;
    const domain: Wire[] = [
      ['id', '>', after],
      ['create_uid', '=', await this.#session.userId()],
    ];
    const params = [domain, 0, null, [['id', 'ASC']], ['id', ...Object.keys(encoded)]];
    const records = await this.#session.call(options.model, 'search_read', params, { context: { active_test: false } });
    const found = (Array.isArray(records) ? records : []).find((record) => isCreatedWith(record, encoded));
    if (found) return { key: String(found.id) };
    if (waitMs <= 0) return null;
    const words = 'Tryton may still be working on the request';
    throw new SystemError('unavailable', words, { retryAfter: Math.ceil(waitMs / 1000) });
  }

  async update(stream: Stream, key: string, values: Row): Promise<void> {
    await this.#writer.update(optionsOf(stream), await this.#existing(stream, key), values);
  }

  async remove(stream: Stream, key: string): Promise<void> {
    if ((await this.read(stream, key)) === null) return;
    await this.#calls.call(optionsOf(stream).model, 'delete', [[Number(key)]]);
  }

  async act(stream: Stream, key: string, action: string, values: Row): Promise<void> {
    const { model, buttons = {} } = optionsOf(stream);
    const row = await this.#existing(stream, key);
    if (Object.keys(values).length > 0) await this.#writer.update(optionsOf(stream), row, values);
    const button = Object.hasOwn(buttons, action) ? buttons[action] : undefined;
    await press(this.#calls, { model, id: Number(key), name: action, button }, () => this.read(stream, key));
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  get #parts() {
    return { session: this.#session, schemas: this.#schemas, roles: this.#roles, reader: this.#reader };
  }

  async #existing(stream: Stream, key: string): Promise<Row> {
    const row = await this.read(stream, key);
    if (!row) throw new SystemError('gone', 'The record does not exist any more');
    return row;
  }
}
