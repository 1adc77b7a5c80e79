import type { FieldKind } from '@unified/contract';

/** Type of a column of a result, with the names used in the document. */
export type ColumnType =
  | 'text'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'datetime'
  | 'enumeration'
  | 'relation'
  | 'texts'
  | 'relations';

/** Types that a statement may cast to: PostgreSQL's names in its syntax tree, and how they are written in SQL. */
export const castTypes: ReadonlyMap<string, string> = new Map([
  ...['text', 'varchar'].map((name) => [name, 'text'] as const),
  ...['int2', 'int4', 'integer'].map((name) => [name, 'int4'] as const),
  ...['int8', 'bigint'].map((name) => [name, 'int8'] as const),
  ...['float4', 'float8'].map((name) => [name, 'float8'] as const),
  ...['bool', 'boolean'].map((name) => [name, 'bool'] as const),
  ...['numeric', 'timestamp', 'timestamptz', 'interval', 'uuid', 'date'].map((name) => [name, name] as const),
]);

/**
 * The type of a result column, and how its text becomes JSON. `resultTypes` lists them by the identifier of PostgreSQL's type.
 */
export interface ResultType {
  readonly type: ColumnType;
  readonly json: (text: string) => string;
}

const FINITE = /^-?\d/;
/** JSON has neither infinite numbers nor NaN. */
const number = (text: string) => (FINITE.test(text) ? text : 'null');
const text = (value: string) => JSON.stringify(value);
const time = (value: string) => JSON.stringify(isoTime(value));

function isoTime(value: string): string | null {
  const zoned = /[+-]\d\d(:\d\d)?$/.test(value) ? value : `${value}+00`;
  const time = new Date(zoned.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

const DAY = /^\d{4}-\d\d-\d\d$/;
/** Dates whose year does not have four digits, and `infinity`, cannot be written in JSON. */
const date = (value: string) => (DAY.test(value) ? text(value) : 'null');

const resultTypes: ReadonlyMap<number, ResultType> = new Map<number, ResultType>([
  [16, { type: 'boolean', json: (value) => (value === 't' ? 'true' : 'false') }],
  ...[20, 21, 23].map((oid) => [oid, { type: 'integer', json: number }] as const),
  ...[700, 701, 1700].map((oid) => [oid, { type: 'number', json: number }] as const),
  [1082, { type: 'date', json: date }],
  ...[1114, 1184].map((oid) => [oid, { type: 'datetime', json: time }] as const),
]);
const asText: ResultType = { type: 'text', json: text };

const ARRAYS: ReadonlySet<number> = new Set([1009, 2951]);

/** Column types that a kind of field determines; the others are derived from PostgreSQL's type. */
const ofKind: Readonly<Partial<Record<FieldKind, ColumnType>>> = {
  enum: 'enumeration',
  relation: 'relation',
  integer: 'integer',
};

/** How a column of a result is described and rendered, from PostgreSQL's type and the kind of its values. */
export function resultType(
  oid: number,
  kind: FieldKind | undefined,
  parseArray: (text: string) => unknown,
): ResultType {
  if (ARRAYS.has(oid)) {
    return { type: oid === 2951 ? 'relations' : 'texts', json: (value) => JSON.stringify(parseArray(value)) };
  }
  const own = resultTypes.get(oid) ?? asText;
  return { type: (kind && ofKind[kind]) ?? own.type, json: own.json };
}
