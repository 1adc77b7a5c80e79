import type { Row } from '../driver.ts';
import type { Flag, ModelOptions, PlatformOptions, ReferenceField } from './options.ts';
import type { Schemas } from './schemas.ts';
import type { TrytonSession } from './tryton-session.ts';
import { decodeScalar, isWireObject, type Wire } from './wire.ts';

const BATCH = 1000;

/** Records to give their flags. */
interface Marked {
  readonly model: string;
  readonly records: readonly Row[];
}

/** Booleans that are not fields in Tryton, declared by the platform per model: see `flag` in `options.schema.json`. */
export class Flags {
  readonly #session: TrytonSession;
  readonly #schemas: Schemas;
  readonly #flags: NonNullable<PlatformOptions['flags']>;
  readonly #defaults = new Map<string, Promise<Row>>();

  constructor(session: TrytonSession, schemas: Schemas, flags: PlatformOptions['flags'] = {}) {
    this.#session = session;
    this.#schemas = schemas;
    this.#flags = flags;
  }

  /** Flags of a model, by name. */
  of(model: string): ReadonlyMap<string, Flag> {
    return new Map(Object.entries((Object.hasOwn(this.#flags, model) && this.#flags[model]) || {}));
  }

  /** Paths that must be read for the flags of the rows of a stream. */
  fieldsOf({ model, flagsAt = {} }: ModelOptions): string[] {
    const places = [['', model] as const, ...Object.entries(flagsAt).map(([at, of]) => [`${at}.`, of] as const)];
    return places.flatMap(([prefix, of]) =>
      [...this.of(of).values()].flatMap(({ listed, changed = [] }) =>
        [...(listed ? [`${listed.in}.${listed.by}`] : []), ...changed].map((field) => `${prefix}${field}`),
      ),
    );
  }

  /** Adds the flags to rows that were read with `fieldsOf`, and to related records that have flags of their own. */
  async mark(rows: readonly Row[], { model, flagsAt = {} }: ModelOptions): Promise<void> {
    await this.#mark({ model, records: rows });
    for (const [at, of] of Object.entries(flagsAt)) {
      await this.#mark({ model: of, records: rows.flatMap((row) => row[at]).filter(isRecord) });
    }
  }

  /** Records of a model that others have referred to since that time: they may have gained a flag without being changed. */
  async referencedSince(model: string, since: Wire): Promise<number[]> {
    const found = new Set<number>();
    const references = [...this.of(model).values()].flatMap(({ referenced = {} }) => Object.entries(referenced));
    for (const [from, reference] of references) {
      const { field, domain } = referenceField(reference);
      const recent: Wire = ['create_date', '>=', since];
      for (let behind: Wire[] = [], more = true; more; ) {
        const rows = await this.#search(from, field, [recent, ...behind, ...domain]);
        for (const row of rows) found.add(row.target);
        behind = [['id', '>', rows.at(-1)?.id ?? null]];
        more = rows.length === BATCH;
      }
    }
    return [...found];
  }

  async #mark({ model, records }: Marked): Promise<void> {
    const flags = this.of(model);
    if (flags.size === 0 || records.length === 0) return;
    const defaults = await this.#defaultsOf(model);
    for (const [name, flag] of flags) {
      for (const record of records) record[name] = isListed(record, flag) || isChanged(record, flag, defaults);
      const open = records.filter((record) => record[name] === false);
      const referenced = await this.#referenced(
        flag,
        open.map(({ id }) => Number(id)),
      );
      for (const record of open) record[name] = referenced.has(Number(record.id));
    }
  }

  /** The records among these that another record refers to. */
  async #referenced({ referenced = {} }: Flag, ids: readonly number[]): Promise<Set<number>> {
    const found = new Set<number>();
    for (const [model, reference] of Object.entries(referenced)) {
      const { field, domain } = referenceField(reference);
      for (let more = true; more; ) {
        const open = ids.filter((id) => !found.has(id));
        if (open.length === 0) return found;
        const rows = await this.#search(model, field, [[field, 'in', open], ...domain]);
        for (const { target } of rows) found.add(target);
        more = rows.length === BATCH;
      }
    }
    return found;
  }

  async #search(model: string, field: string, domain: readonly Wire[]): Promise<{ id: number; target: number }[]> {
    if (!(await this.#schemas.of(model)).has(field)) return [];
    const params = [domain, 0, BATCH, [['id', 'ASC']], [field]];
    const rows = await this.#session.call(model, 'search_read', params, { context: { active_test: false } });
    return (Array.isArray(rows) ? rows : []).map((row) => ({ id: Number(row.id), target: Number(row[field]) }));
  }

  /** The values of a new record of the model in the fields that flags compare. */
  #defaultsOf(model: string): Promise<Row> {
    const known = this.#defaults.get(model);
    if (known) return known;
    const asked = this.#askDefaults(model).catch((error: unknown) => {
      this.#defaults.delete(model);
      throw error;
    });
    this.#defaults.set(model, asked);
    return asked;
  }

  async #askDefaults(model: string): Promise<Row> {
    const compared = [...this.of(model).values()].flatMap(({ changed = [] }) => changed);
    const fields = [...(await this.#schemas.existing(model, compared)).values()];
    const defaults = await this.#session.call(model, 'default_get', [fields, false]);
    const entries = isWireObject(defaults) ? Object.entries(defaults) : [];
    return Object.fromEntries(entries.map(([name, value]) => [name, decodeScalar(value)]));
  }
}

function referenceField(reference: string | ReferenceField): ReferenceField {
  return typeof reference === 'string' ? { field: reference, domain: [] } : reference;
}

function isListed(record: Row, { listed }: Flag): boolean {
  const list = listed && record[listed.in];
  return Array.isArray(list) && list.some((each) => isRecord(each) && listed?.values.includes(String(each[listed.by])));
}

function isChanged(record: Row, { changed = [] }: Flag, defaults: Row): boolean {
  return changed.some((field) => {
    const value = idOrValue(record[field]);
    return value !== null && value !== '""' && value !== JSON.stringify(defaults[field] ?? null);
  });
}

/** A relation that was read with some of its fields, by its id alone. */
function idOrValue(value: unknown): string | null {
  const plain = isRecord(value) && value.id !== undefined ? value.id : value;
  return plain === null || plain === undefined ? null : JSON.stringify(plain);
}

function isRecord(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
