import { fileURLToPath } from 'node:url';
import { clearedInput, entityOf } from '@unified/contract';
import { afterAll, expect } from 'vitest';
import type { Intent, PulledPage, PullRequest, Row } from '../src/driver.ts';
import type { Json } from '../src/json.ts';
import { loadPlatform } from '../src/load-platform.ts';
import type { CompiledMapping } from '../src/mapping/mapping.ts';
import type { Platform, Stream } from '../src/platform.ts';
import { openTryton, type TrytonDriver } from '../src/tryton/open-tryton.ts';

/** What `test-systems/tryton/start.ts` provides to tests. */
export interface RunningTryton {
  /** `6.0` */
  readonly series: string;
  /** `postgres` or `sqlite` */
  readonly storage: string;
  readonly url: string;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  /** Reads Tryton's records without the driver. */
  readonly rpc: {
    search(model: string, domain: readonly unknown[], fields?: readonly string[]): Promise<Row[]>;
    one(model: string, domain: readonly unknown[], fields?: readonly string[]): Promise<Row>;
    createOne(model: string, values: Row): Promise<number>;
    write(model: string, id: number, values: Row): Promise<void>;
    press(model: string, id: number, button: string): Promise<void>;
    call(model: string, method: string, ...params: unknown[]): Promise<unknown>;
    raw(method: string, params: readonly unknown[]): Promise<unknown>;
    readonly context: Row;
  };
  readonly pid: number;
  stop(): Promise<void>;
}

/** Starts a real Tryton. Its code is outside this package, so the compiler must not see the path. */
export async function startTryton(): Promise<RunningTryton> {
  const path = new URL('../../../test-systems/tryton/start.ts', import.meta.url).href;
  const module: { startTryton(): Promise<RunningTryton> } = await import(path);
  return module.startTryton();
}

/** Starts a Tryton for the tests of a file and connects to it; both end after them. */
export async function trytonOfFile(): Promise<{ tryton: RunningTryton; connection: Connection }> {
  const tryton = await startTryton();
  const connection = new Connection(tryton);
  afterAll(async () => {
    await connection.driver.close();
    await tryton.stop();
  });
  return { tryton, connection };
}

/** The platform as it is shipped. */
export function trytonPlatform(): Platform {
  return loadPlatform(fileURLToPath(new URL('../platforms/tryton', import.meta.url)));
}

/** A connection to the running Tryton. */
export class Connection {
  readonly platform = trytonPlatform();
  readonly driver: TrytonDriver;
  /** Tryton does not store the ids of writes. */
  readonly intent: Intent = { writeId: 'w', position: null, sentAt: '2026-11-20T06:00:00Z' };

  constructor(tryton: RunningTryton, settings: Readonly<Record<string, Json>> = {}) {
    const { url, database, user, password } = tryton;
    const own = { url, database, user, password, allowPrivateHosts: true };
    this.driver = openTryton(this.platform, { ...own, ...settings });
  }

  mapping(entity: string): CompiledMapping {
    const mapping = this.platform.mappings[entity];
    if (!mapping) throw new Error(`no mapping of ${entity}`);
    return mapping;
  }

  stream(name: string): Stream {
    const stream = this.platform.streams.find((each) => each.name === name);
    if (!stream) throw new Error(`no stream ${name}`);
    return stream;
  }

  /**
   * The fields of a record, as the mapping reads them now; null when the record is gone or does not belong to the
   * entity.
   */
  async read(entity: string, key: string): Promise<Row | null> {
    const mapping = this.mapping(entity);
    const row = await this.driver.read(this.stream(mapping.stream), key);
    const record = row && mapping.read({ key, row });
    return record ? { ...record.values, ...record.references } : null;
  }

  /** Creates a record from fields of the API, as the engine does; returns its key. */
  async create(entity: string, input: Row): Promise<string> {
    const mapping = this.mapping(entity);
    const { values } = mapping.write(input, { op: 'create' });
    return (await this.driver.writes.create(this.stream(mapping.stream), values, this.intent)).key;
  }

  async update(entity: string, key: string, input: Row, op: 'update' | 'replace' = 'update'): Promise<void> {
    const mapping = this.mapping(entity);
    const known = entityOf(entity);
    if (!known) throw new Error(`no entity ${entity}`);
    const sent = op === 'replace' ? clearedInput(known, input) : input;
    await this.driver.writes.update(this.stream(mapping.stream), key, mapping.write(sent, { op }).values, this.intent);
  }

  /** Carries out an action of the API. */
  async act(entity: string, key: string, action: string, input: Row = {}): Promise<void> {
    const mapping = this.mapping(entity);
    const { act, values } = mapping.actions[action]?.write(input) ?? { act: null, values: {} };
    if (act === null) throw new Error(`${entity} has no action ${action}`);
    await this.driver.actions.act(this.stream(mapping.stream), key, act, values, this.intent);
  }

  /** All rows of a stream, page by page. */
  async pullAll(name: string, options: { since?: Json; limit?: number } = {}): Promise<{ key: string; row: Row }[]> {
    const { since = null, limit = 500 } = options;
    const rows: { key: string; row: Row }[] = [];
    for (let from: Json | null = null, more = true; more; more = from !== null) {
      const request: PullRequest = { stream: this.stream(name), from, limit };
      const { driver } = this;
      const page: PulledPage = await (since === null
        ? driver.pull(request)
        : driver.changes.pull({ ...request, since }));
      rows.push(...page.rows);
      from = page.next;
    }
    return rows;
  }
}

/** A reference as the engine passes it to mappings. */
export function reference(entity: string, key: string | number): Row {
  return { id: '00000000-0000-7000-8000-000000000000', _idValue: String(key), code: '', _displayValue: '', entity };
}

/** A refusal with a matching message. */
export function rejected(words: string | RegExp) {
  return { kind: 'rejected', words: expect.stringMatching(words) };
}

/** Id of the only record with this value, read without the driver. */
export async function idOf({ rpc }: RunningTryton, model: string, field: string, value: string): Promise<number> {
  return Number((await rpc.one(model, [[field, '=', value]])).id);
}
