import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { decodeRow } from './decode-row.ts';
import type { Flags } from './flags.ts';
import type { First, ModelOptions } from './options.ts';
import type { FieldSchema, Schemas } from './schemas.ts';
import { trytonScalar } from './tryton-scalar.ts';
import type { CallOptions, TrytonSession } from './tryton-session.ts';
import { isWireObject, type Wire, type WireObject } from './wire.ts';

/** Reads rows of a stream, including what the stream declares in addition to Tryton's own fields. */
export class RowReader {
  readonly #session: TrytonSession;
  readonly #schemas: Schemas;
  readonly #flags: Flags;

  constructor(session: TrytonSession, schemas: Schemas, flags: Flags) {
    this.#session = session;
    this.#schemas = schemas;
    this.#flags = flags;
  }

  /** Rows that match the domain, including inactive ones, in the order of their ids; at most `limit`. */
  async search(options: ModelOptions, domain: readonly Wire[], limit: number, call: CallOptions = {}): Promise<Row[]> {
    // A model whose module is not installed has no rows.
    if ((await this.#schemas.of(options.model)).size === 0) return [];
    const fields = await this.existingFields(options);
    const params = [
      [...(options.domain ?? []), domain],
      0,
      limit,
      [['id', 'ASC']],
      [...new Set(['id', ...fields.values()])],
    ];
    const context = { ...call.context, active_test: false };
    const records = await this.#session.call(options.model, 'search_read', params, { ...call, context });
    if (!isRecordList(records)) throw new SystemError('invalid', 'Tryton returned no list of records for a search');
    const rows = await Promise.all(records.map((record) => decodeRow(this.#schemas, options.model, record)));
    for (const row of rows) addDerived(row, options);
    await this.#match(rows, options, call);
    await this.#flags.mark(rows, options);
    return rows;
  }

  async #match(rows: readonly Row[], { model, matches = {} }: ModelOptions, call: CallOptions): Promise<void> {
    for (const [name, domain] of Object.entries(matches)) {
      const params = [[['id', 'in', rows.map(({ id }) => Number(id))], domain], 0, null, null];
      const context = { ...call.context, active_test: false };
      const found = rows.length > 0 ? await this.#session.call(model, 'search', params, { ...call, context }) : [];
      const matching = new Set(Array.isArray(found) ? found : []);
      for (const row of rows) row[name] = matching.has(Number(row.id));
    }
  }

  /**
   * The fields of `fieldsOf` that exist in this database and, with `allFields`, every other plain field, each with its path there.
   */
  async existingFields(options: ModelOptions): Promise<ReadonlyMap<string, string>> {
    const paths = await this.#schemas.existing(options.model, this.fieldsOf(options));
    if (!options.allFields) return paths;
    const known = new Set(['id', ...[...paths.keys()].map((path) => path.split('.')[0])]);
    const others = [...(await this.#schemas.asNamed(options.model))].filter(
      ([name, field]) => !known.has(name) && isPlain(field),
    );
    return new Map([...paths, ...others.map(([name, field]) => [name, field.name] as const)]);
  }

  /** The fields to request from Tryton for a row: those that the stream names, and those that others are derived from. */
  fieldsOf(options: ModelOptions): string[] {
    const { fields, firsts = {}, positions = {} } = options;
    const ofFirsts = Object.values(firsts).flatMap(({ of, where = {}, value }) =>
      ['active', value, ...Object.keys(where)].map((name) => `${of}.${name}`),
    );
    return [...new Set([...fields, ...ofFirsts, ...Object.values(positions), ...this.#flags.fieldsOf(options)])];
  }
}

/** Whether a field has a single value that the database stores. */
function isPlain(field: FieldSchema): boolean {
  return field.isStored && trytonScalar(field) !== undefined;
}

/** The first matching record of a list, in a row that was read with the fields of `first`. */
export function firstOf(row: Row, { of, where = {} }: First): Row | null {
  const records: readonly Row[] = Array.isArray(row[of]) ? row[of] : [];
  const conditions = Object.entries(where);
  const fits = (record: Row) => record.active !== false && conditions.every(([name, value]) => record[name] === value);
  return records.find(fits) ?? null;
}

/** Name of the list that a text of several lines is also read and written as. */
export function linesName(field: string): string {
  return `${field}_lines`;
}

/** Names of the columns for the model and the id in a field of type `reference`. */
export function referenceNames(field: string): { readonly model: string; readonly id: string } {
  return { model: `${field}_model`, id: `${field}_id` };
}

function addDerived(row: Row, { firsts = {}, positions = {}, lines = [], references = [] }: ModelOptions): void {
  for (const [name, first] of Object.entries(firsts)) row[name] = firstOf(row, first)?.[first.value] ?? null;
  for (const field of lines) row[linesName(field)] = typeof row[field] === 'string' ? row[field].split('\n') : [];
  for (const field of references) {
    const names = referenceNames(field);
    const [model = '', id = ''] = typeof row[field] === 'string' ? row[field].split(',') : [];
    // Without a record, the field contains an empty text, or the model with the id -1.
    const isSet = /^\d+$/.test(id);
    row[names.model] = isSet ? model : null;
    row[names.id] = isSet ? Number(id) : null;
  }
  for (const [name, path] of Object.entries(positions)) row[name] = positionIn(row, path);
}

function positionIn(row: Row, path: string): number | null {
  const list = path.split('.').reduce<unknown>((value, name) => (isWireObject(value) ? value[name] : null), row);
  const place = Array.isArray(list) ? list.indexOf(row.id) : -1;
  return place < 0 ? null : place + 1;
}

function isRecordList(value: Wire): value is readonly WireObject[] {
  return Array.isArray(value) && value.every((record) => isWireObject(record) && typeof record.id === 'number');
}
