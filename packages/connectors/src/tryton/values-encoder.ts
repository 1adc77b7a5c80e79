import { refuseChangedList } from '../changed-list.ts';
import { type KnownLists, ROW_KEY, type Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { encodeScalar, isScalarType, UnfitValue } from './encode-scalar.ts';
import type { RelatedRecords } from './related-records.ts';
import type { FieldSchema, Schemas } from './schemas.ts';
import { isWireObject, type Wire } from './wire.ts';

/** Values of a record as Tryton takes them. */
export type WireValues = Record<string, Wire>;

/** What the encoder needs from the record that an update changes. */
export interface Existing {
  readonly known: KnownLists;
  /** Ids of the records of a list field. */
  idsOf(list: string): Promise<readonly number[]>;
  /** The same for a record in one of its lists. */
  owned(model: string, id: number): Existing;
}

/** Turns plain values into those of Tryton's fields, by their types and names in this database. */
export class ValuesEncoder {
  readonly #schemas: Schemas;
  readonly #related: RelatedRecords;

  constructor(schemas: Schemas, related: RelatedRecords) {
    this.#schemas = schemas;
    this.#related = related;
  }

  /**
   * Encodes the values of one record. Null clears a field; a field that must have a value is left unchanged instead.
   *
   * @throws {SystemError} `rejected` when a value does not fit its field, or a related record does not exist
   */
  async encode(model: string, values: Row, existing?: Existing): Promise<WireValues> {
    const schema = await this.#schemas.asNamed(model);
    const encoded: WireValues = {};
    for (const [name, value] of Object.entries(values)) {
      const field = schema.get(name);
      if (!field && value !== null)
        throw new SystemError('rejected', `This Tryton has no field "${name}" in ${model}`, {
          clientWords: 'The connected system lacks a field of the platform; check the connection',
          columns: [name],
        });
      if (!field || (value === null && (field.required || field.type === 'boolean'))) continue;
      encoded[field.name] = await this.#field(field, name, value, existing);
    }
    return encoded;
  }

  async #field(field: FieldSchema, name: string, value: unknown, existing: Existing | undefined): Promise<Wire> {
    const label = field.label || name;
    if (isScalarType(field.type)) return fitting(label, () => encodeScalar(field.type as 'char', value));
    const model = field.relation ?? '';
    if (field.type === 'many2one' || field.type === 'one2one') return this.#one(model, label, value);
    // A mapping that writes only one element names its place: `owners.0`.
    const list = Array.isArray(value) ? value : Object.values(value ?? {}).filter((each) => each !== null);
    if (field.type === 'one2many') {
      const current = (await existing?.idsOf(name)) ?? [];
      refuseChangedList(name, existing?.known[name], current.map(String));
      return this.#owned(model, label, list, current, existing);
    }
    if (field.type !== 'many2many')
      throw new SystemError('rejected', `${label}: fields of type ${field.type} cannot be set`);
    const ids = await Promise.all(list.map((each) => this.#one(model, label, each)));
    return added(ids, (await existing?.idsOf(name)) ?? []);
  }

  /** A related record by its id, or by values that only it has. */
  async #one(model: string, label: string, value: unknown): Promise<Wire> {
    if (!isWireObject(value)) return fitting(label, () => encodeScalar('integer', value === '' ? null : value));
    const given = Object.entries(value).filter(([, each]) => each !== null && each !== '');
    if (given.length === 0) return null;
    if (value.id !== undefined) return this.#one(model, label, value.id);
    return this.#related.only(model, label, Object.fromEntries(given));
  }

  /** Records that belong to this one only: those with a key are changed, the others created, and the rest deleted. */
  async #owned(
    model: string,
    label: string,
    list: readonly Row[],
    current: readonly number[],
    existing: Existing | undefined,
  ): Promise<Wire> {
    const kept = list.filter((each) => each[ROW_KEY] !== undefined).map((each) => Number(each[ROW_KEY]));
    const lost = kept.find((id) => !current.includes(id));
    if (lost !== undefined) throw new SystemError('rejected', `${label}: record ${lost} is no longer in the list`);
    const gone = current.filter((id) => !kept.includes(id));
    const changes: Wire[] = [];
    const created: WireValues[] = [];
    for (const { [ROW_KEY]: key, ...values } of list) {
      const encoded = await this.encode(
        model,
        values,
        key === undefined ? undefined : existing?.owned(model, Number(key)),
      );
      if (key === undefined) created.push(encoded);
      else if (Object.keys(encoded).length > 0) changes.push(['write', [Number(key)], encoded]);
    }
    return [
      ...(gone.length > 0 ? [['delete', gone]] : []),
      ...changes,
      ...(created.length > 0 ? [['create', created]] : []),
    ];
  }
}

function added(ids: readonly Wire[], current: readonly number[]): Wire {
  const gone = current.filter((id) => !ids.includes(id));
  return [...(gone.length > 0 ? [['remove', gone]] : []), ...(ids.length > 0 ? [['add', ids]] : [])];
}

function fitting<T>(label: string, encode: () => T): T {
  try {
    return encode();
  } catch (error) {
    if (error instanceof UnfitValue) throw new SystemError('rejected', `${label}: ${error.message}`);
    throw error;
  }
}
