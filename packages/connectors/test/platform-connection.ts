import type { Driver, Intent, PulledPage, RawRow, Row, WriteOperation } from '../src/driver.ts';
import type { Json } from '../src/json.ts';
import type { CompiledMapping, ResolvedReference } from '../src/mapping/mapping.ts';
import type { Platform, Stream } from '../src/platform.ts';

const INTENT: Intent = { writeId: '0198-w', position: null, sentAt: '2026-11-20T09:30:15Z' };

/** A reference in a request, as the service resolves it. */
export function reference(entity: string, key: string | number, code = ''): ResolvedReference {
  return { entity, _idValue: String(key), id: String(key), code, _displayValue: '' };
}

/** A driver with every part that tests of platforms use. */
type TestedDriver = Required<Omit<Driver, 'contents' | 'origin' | 'version'>>;

/** A connection to a running system, which reads and writes through the mappings of its platform. */
export class PlatformConnection {
  readonly platform: Platform;
  readonly driver: TestedDriver;

  constructor(platform: Platform, driver: TestedDriver) {
    this.platform = platform;
    this.driver = driver;
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

  /** The fields of a record, as the mapping reads them now; null when there is none. */
  async read(entity: string, key: string | number): Promise<Row | null> {
    const mapping = this.mapping(entity);
    const row = await this.driver.read(this.stream(mapping.stream), String(key));
    const record = row && mapping.read({ key: String(key), row });
    return record ? { ...record.values, ...record.references } : null;
  }

  /** Sends a create of an entity through its mapping. */
  async create(entity: string, input: Row, intent: Partial<Intent> = {}): Promise<string> {
    const { stream, values } = this.#mapped(entity, input, 'create');
    return (await this.driver.writes.create(stream, values, { ...INTENT, ...intent })).key;
  }

  /** The row that a create would be taken for if its response were lost. */
  async findCreated(entity: string, input: Row, position: Json): Promise<string | undefined> {
    const { stream, values } = this.#mapped(entity, input, 'create');
    return (await this.driver.writes.findCreated(stream, values, { ...INTENT, position }))?.key;
  }

  position(entity: string, input: Row = {}): Promise<Json> {
    const { stream, values } = this.#mapped(entity, input, 'create');
    return this.driver.writes.positionBeforeCreate(stream, INTENT.writeId, values);
  }

  async update(entity: string, key: string, input: Row): Promise<void> {
    const { stream, values } = this.#mapped(entity, input, 'update');
    await this.driver.writes.update(stream, key, values, INTENT);
  }

  async remove(entity: string, key: string): Promise<void> {
    await this.driver.writes.remove(this.stream(this.mapping(entity).stream), key, INTENT);
  }

  async act(entity: string, key: string, action: string, input: Row = {}): Promise<void> {
    const mapping = this.mapping(entity);
    const { act, values, unsupported } = mapping.actions[action]?.write(input) ?? { act: null, values: {} };
    if (act === null || unsupported?.length) throw new Error(`${entity} has no ${action} with this input`);
    await this.driver.actions.act(this.stream(mapping.stream), key, act, values, INTENT);
  }

  #mapped(entity: string, input: Row, op: WriteOperation): { stream: Stream; values: Row } {
    const mapping = this.mapping(entity);
    const { values, unsupported } = mapping.write(input, { op });
    if (unsupported.length > 0) throw new Error(`${entity} does not write ${unsupported.join(', ')}`);
    return { stream: this.stream(mapping.stream), values };
  }

  /** All rows of a stream, or those that changed since a mark, page by page. */
  async pullAll(name: string, options: { since?: Json; limit?: number } = {}): Promise<RawRow[]> {
    const { since, limit = 100 } = options;
    const rows: RawRow[] = [];
    for (let from: Json | null = null, more = true; more; more = from !== null) {
      const request = { stream: this.stream(name), from, limit };
      const page: PulledPage = await (since === undefined
        ? this.driver.pull(request)
        : this.driver.changes.pull({ ...request, since }));
      rows.push(...page.rows);
      from = page.next;
    }
    return rows;
  }
}
