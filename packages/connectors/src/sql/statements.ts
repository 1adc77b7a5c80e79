import type { Row } from '../driver.ts';
import { quote } from './quote.ts';
import { NO_ZONES, type ZonedColumns } from './zones.ts';

/** A statement with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** `INSERT` of the given columns; answers the key columns. */
export function insert(
  table: string,
  row: Row,
  returning: readonly string[],
  zones: ZonedColumns = NO_ZONES,
): Statement {
  const columns = Object.keys(row);
  const answer = `RETURNING ${returning.map(quote).join(', ')}`;
  if (columns.length === 0) return { text: `INSERT INTO ${table} DEFAULT VALUES ${answer}`, values: [] };
  const values: unknown[] = [];
  const places = columns.map((column) => place(column, row[column], values, zones));
  return {
    text: `INSERT INTO ${table} (${columns.map(quote).join(', ')}) VALUES (${places.join(', ')}) ${answer}`,
    values,
  };
}

/** Conditions "column = value" joined by AND; parameters are counted on from `used`. */
export function equal(columns: readonly string[], used: number): string {
  return columns.map((column, index) => `${quote(column)} = $${used + index + 1}`).join(' AND ');
}

/** Assignments of an `UPDATE`; parameters are counted from 1. Columns of `now` get the current time. */
export function assignments(row: Row, zones: ZonedColumns = NO_ZONES, now: readonly string[] = []): Statement {
  const values: unknown[] = [];
  const sent = Object.keys(row).map((column) => `${quote(column)} = ${place(column, row[column], values, zones)}`);
  const timed = now.map((column) => `${quote(column)} = ${inZone('now()', zones.get(column), values)}`);
  return { text: [...sent, ...timed].join(', '), values };
}

const INSTANT = /^\d{4}-\d\d-\d\dt.+(?:z|[+-]\d\d(?::?\d\d)?)$/i;

/** The place of a value in a statement; `values` gets its parameters. Lists and objects go into json columns. */
export function place(column: string, value: unknown, values: unknown[], zones: ZonedColumns): string {
  values.push(typeof value === 'object' && value !== null ? JSON.stringify(value) : value);
  const zone = typeof value === 'string' && INSTANT.test(value) ? zones.get(column) : undefined;
  return zone === undefined ? `$${values.length}` : inZone(`$${values.length}::timestamptz`, zone, values);
}

function inZone(instant: string, zone: string | undefined, values: unknown[]): string {
  if (zone === undefined) return instant;
  values.push(zone);
  return `(${instant} AT TIME ZONE $${values.length}::text)`;
}
