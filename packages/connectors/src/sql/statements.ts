import type { Row } from '../driver.ts';
import type { SqlDialect } from './dialect/sql-dialect.ts';
import { NO_ZONES, type ZonedColumns } from './zones.ts';

/** A statement with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Columns that take the values, in the same order. */
  readonly columns: readonly string[];
}

/** `INSERT` of the given columns; returns the named columns of the new row. */
export function insert(
  { spell }: SqlDialect,
  table: string,
  row: Row,
  returning: readonly string[],
  zones: ZonedColumns = NO_ZONES,
): Statement {
  const values: unknown[] = [];
  const columns = Object.keys(row);
  const taking: string[] = [];
  const parameters = columns.map((column) => {
    const parameter = parameterOf({ spell }, column, row[column], values, zones);
    while (taking.length < values.length) taking.push(column);
    return parameter;
  });
  const text = spell.insert(table, columns.map(spell.quote), parameters, returning.map(spell.quote));
  return { text, values, columns: taking };
}

/** Conditions "column = value" joined by AND; parameters are numbered from `used` + 1. */
export function equal({ spell }: SqlDialect, columns: readonly string[], used: number): string {
  return columns.map((column, index) => `${spell.quote(column)} = $${used + index + 1}`).join(' AND ');
}

/** Assignments of an `UPDATE`; parameters are numbered from 1. Columns of `now` get the current time. */
export function assignments(
  { spell }: SqlDialect,
  row: Row,
  zones: ZonedColumns = NO_ZONES,
  now: readonly string[] = [],
): Statement {
  const values: unknown[] = [];
  const columns: string[] = [];
  const sent = Object.keys(row).map((column) => {
    const parameter = parameterOf({ spell }, column, row[column], values, zones);
    while (columns.length < values.length) columns.push(column);
    return `${spell.quote(column)} = ${parameter}`;
  });
  const timed = now.map(
    (column) => `${spell.quote(column)} = ${inZone({ spell }, spell.now(), zones.get(column), values)}`,
  );
  return { text: [...sent, ...timed].join(', '), values, columns };
}

const INSTANT = /^\d{4}-\d\d-\d\dt.+(?:z|[+-]\d\d(?::?\d\d)?)$/i;

/**
 * The expression for a value in a statement; its parameters are appended to `values`. Lists and objects are stored in
 * JSON columns.
 */
export function parameterOf(
  { spell }: Pick<SqlDialect, 'spell'>,
  column: string,
  value: unknown,
  values: unknown[],
  zones: ZonedColumns,
): string {
  const zone = typeof value === 'string' && INSTANT.test(value) ? zones.get(column) : undefined;
  if (zone !== undefined)
    return inZone({ spell }, spell.instant(`$${values.push(inUtc(String(value)))}`), zone, values);
  return `$${values.push(typeof value === 'object' && value !== null ? JSON.stringify(value) : value)}`;
}

/** The same instant with a `Z`; a fraction of a second keeps all digits. */
function inUtc(instant: string): string {
  const [, fraction = ''] = /(\.\d+)(?:z|[+-])/i.exec(instant) ?? [];
  const at = new Date(instant.replace(fraction, ''));
  return Number.isNaN(at.getTime()) ? instant : at.toISOString().replace('.000Z', `${fraction}Z`);
}

function inZone(
  { spell }: Pick<SqlDialect, 'spell'>,
  instant: string,
  zone: string | undefined,
  values: unknown[],
): string {
  return zone === undefined ? instant : spell.localTime(instant, `$${values.push(zone)}`);
}
