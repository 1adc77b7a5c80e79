import { expect } from 'vitest';
import type { Row } from '../src/driver.ts';
import type { Connection, RunningTryton } from './running-tryton.ts';

/** An entity, the model that its records come from, and for some of its fields the Tryton field with the same value. */
export interface Expectation {
  readonly entity: string;
  readonly model: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Records of the model that belong to the entity. Defaults to all. */
  readonly domain?: readonly unknown[];
}

/** Expects that the entity has a record for each record of Tryton, read without the driver, with the same values. */
export async function expectedInTryton(
  { rpc }: RunningTryton,
  connection: Connection,
  { entity, model, fields, domain = [] }: Expectation,
): Promise<void> {
  const mapping = connection.mapping(entity);
  const rows = await connection.pullAll(mapping.stream);
  const records = new Map(
    rows.flatMap((row) => {
      const record = mapping.read(row);
      return record ? [[row.key, { ...record.values, ...record.references } as Row]] : [];
    }),
  );
  const inactive = { ...rpc.context, active_test: false };
  const method = `model.${model}.search_read`;
  const found = (await rpc.raw(method, [domain, 0, null, [['id', 'ASC']], Object.values(fields), inactive])) as Row[];
  expect(found.length).toBeGreaterThan(0);
  expect([...records.keys()].sort()).toEqual(found.map(({ id }) => String(id)).sort());
  for (const row of found) {
    const values = Object.entries(fields).map(([name, path]) => [name, plain(valueAt(row, path))]);
    const record = records.get(String(row.id)) ?? {};
    const read = Object.keys(fields).map((name) => [name, ours(record[name])]);
    expect(Object.fromEntries(read), `${entity} ${row.id}`).toEqual(Object.fromEntries(values));
  }
}

/** The value of a field, or of a field of a related record: `party.name` is below `party.`. */
function valueAt(row: Row, path: string): unknown {
  const [name = '', ...rest] = path.split('.');
  if (rest.length === 0) return row[name] ?? null;
  const related = row[`${name}.`];
  return typeof related === 'object' && related !== null ? valueAt(related as Row, rest.join('.')) : null;
}

/** A value on the wire as a text to compare; an empty text is not a value. */
function plain(value: unknown): string | null {
  if (value === null || value === '') return null;
  // Databases without booleans return 0 and 1.
  if (typeof value === 'boolean') return String(Number(value));
  if (typeof value !== 'object') return String(value);
  const { __class__: kind, decimal, year, month, day, hour, minute, second } = value as Record<string, unknown>;
  const padded = (part: unknown) => String(part).padStart(2, '0');
  if (kind === 'Decimal') return String(Number(decimal));
  if (kind === 'date') return `${year}-${padded(month)}-${padded(day)}`;
  if (kind === 'datetime')
    return `${year}-${padded(month)}-${padded(day)}T${padded(hour)}:${padded(minute)}:${padded(second)}`;
  return JSON.stringify(value);
}

/** A value of a record as a text to compare; a reference is its id. */
function ours(value: unknown): string | null {
  if (typeof value === 'object' && value !== null && 'value' in value) return String(value.value);
  if (value === null || value === undefined || value === '') return null;
  const text = String(typeof value === 'boolean' ? Number(value) : value);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? text.slice(0, 19) : text;
}
