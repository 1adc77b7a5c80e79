import type { Row } from '../driver.ts';
import { quote } from './quote.ts';

/** A statement with the values of its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** `INSERT` of the given columns; answers the key columns. */
export function insert(table: string, row: Row, returning: readonly string[]): Statement {
  const columns = Object.keys(row);
  const answer = `RETURNING ${returning.map(quote).join(', ')}`;
  if (columns.length === 0) return { text: `INSERT INTO ${table} DEFAULT VALUES ${answer}`, values: [] };
  const places = columns.map((_, index) => `$${index + 1}`).join(', ');
  return {
    text: `INSERT INTO ${table} (${columns.map(quote).join(', ')}) VALUES (${places}) ${answer}`,
    values: columns.map((column) => parameter(row[column])),
  };
}

/** Conditions "column = value" joined by AND; parameters are counted on from `used`. */
export function equal(columns: readonly string[], used: number): string {
  return columns.map((column, index) => `${quote(column)} = $${used + index + 1}`).join(' AND ');
}

/** Assignments of an `UPDATE`; parameters are counted from 1. */
export function assignments(row: Row): Statement {
  const columns = Object.keys(row);
  return {
    text: columns.map((column, index) => `${quote(column)} = $${index + 1}`).join(', '),
    values: columns.map((column) => parameter(row[column])),
  };
}

/** Lists and objects go into json columns. */
function parameter(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
