import { type Entity, type Field, ServiceError } from '@unified/contract';
import { invalidCursor } from '../../access/invalid-cursor.ts';
import { columnType, isAlwaysSet, isIndexed, LONGEST_INDEXED } from '../../tables/derive-table.ts';

/** One column that a list is ordered by. */
export interface SortKey {
  readonly field: Field;
  /** SQL expression that the list is ordered by: the quoted column, or the beginning of a long text. */
  readonly column: string;
  readonly type: string;
  readonly descending: boolean;
  readonly alwaysSet: boolean;
}

/**
 * The sort keys of a list, followed by the id so that no two records tie. The id has the direction of the preceding field, so
 * that one index serves both directions. Throws SERVICE_INVALID_SORT for a field that has no order.
 */
export function sortKeys(entity: Entity, sort: readonly { field: Field; descending: boolean }[]): SortKey[] {
  const keys: SortKey[] = [];
  for (const { field, descending } of sort) {
    if (keys.some((key) => key.field === field)) continue;
    keys.push(keyOf(entity, field, descending));
    if (field.name === 'id') return keys;
  }
  const id = entity.field.id;
  if (!id) throw new ServiceError('SERVICE_INTERNAL', `${entity.name} has no field "id".`);
  return [...keys, keyOf(entity, id, keys.at(-1)?.descending ?? false)];
}

function keyOf(entity: Entity, field: Field, descending: boolean): SortKey {
  const type = columnType(field);
  if (type === undefined || type.endsWith('[]') || entity.field[field.name] !== field) {
    throw new ServiceError('SERVICE_INVALID_SORT', `${entity.name} cannot be sorted by "${field.name}".`);
  }
  const quoted = `"${field.name}"`;
  // A cursor contains the value, so its length must be bounded.
  const column = type === 'text' && !isIndexed(field) ? `left(${quoted}, ${LONGEST_INDEXED})` : quoted;
  return { field, column, type, descending, alwaysSet: isAlwaysSet(field) };
}

/** The sort order as one word, for example `-_updatedAt,-id`. */
export function sortName(keys: readonly SortKey[]): string {
  return keys.map(({ field, descending }) => (descending ? '-' : '') + field.name).join(',');
}

/** Sort key values of the last record of a page, as PostgreSQL writes them. */
export type Position = readonly (string | null)[];

const FORMS: Readonly<Record<string, RegExp>> = {
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  numeric: /^-?\d+(\.\d+)?$/,
  timestamptz: /^\d{4,6}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)*( BC)?$/,
  boolean: /^(t|f|true|false)$/,
};

/** An opaque text with the position at which the next page of a sorted list begins. */
export function writeCursor(entity: Entity, keys: readonly SortKey[], position: Position): string {
  return Buffer.from(JSON.stringify([entity.name, sortName(keys), ...position])).toString('base64url');
}

/** Returns the position in a cursor. Throws SERVICE_INVALID_CURSOR if it is invalid or belongs to another list. */
export function readCursor(cursor: string, entity: Entity, keys: readonly SortKey[]): Position {
  const [name, sort, ...position] = parse(cursor);
  const fits = name === entity.name && sort === sortName(keys) && position.length === keys.length;
  if (!fits || !keys.every((key, index) => isValue(key, position[index]))) throw invalidCursor();
  return position as Position;
}

function parse(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isValue(key: SortKey, value: unknown): boolean {
  if (value === null) return !key.alwaysSet;
  return typeof value === 'string' && !value.includes('\0') && (FORMS[key.type]?.test(value) ?? true);
}

/**
 * SQL for "the records after this position", as mutually exclusive alternatives; `values` lists the keys whose
 * values replace its `?`, in order.
 */
interface Continuation {
  readonly sql: string;
  readonly values: readonly number[];
}

/**
 * Conditions that select the records after a position. Ascending lists end with the records without a value, descending ones
 * begin with them, as PostgreSQL does by default.
 *
 * For one field and the id, each alternative is one range of the index (field, id), so the cost does not depend on how deep the
 * page is in the list. There are two alternatives if the field may be empty. For several fields, there is one condition,
 * bounded by the first field.
 */
export function continuations(keys: readonly SortKey[], position: Position): Continuation[] {
  const [first, second] = keys;
  if (!first) return [];
  if (!second) return [{ sql: `${first.column} ${beyond(first)} ?::${first.type}`, values: [0] }];
  if (keys.length === 2) return afterPair(first, second, position[0] === null);
  return [afterMany(keys, position)];
}

const beyond = (key: SortKey) => (key.descending ? '<' : '>');

function afterPair(key: SortKey, id: SortKey, isEmpty: boolean): Continuation[] {
  const value = `${key.column} is ${key.descending ? 'not null' : 'null'}`;
  const others = { sql: value, values: [] };
  const rest = isEmpty
    ? { sql: `${key.column} is null and id ${beyond(id)} ?::uuid`, values: [1] }
    : { sql: `(${key.column}, id) ${beyond(key)} (?::${key.type}, ?::uuid)`, values: [0, 1] };
  // Ascending: a value is followed by greater values, then by empty ones. Descending: an empty value is followed by those with
  // a value.
  return isEmpty === key.descending && !key.alwaysSet ? [rest, others] : [rest];
}

function afterMany(keys: readonly SortKey[], position: Position): Continuation {
  const alternatives: Continuation[] = [];
  const equal: Continuation[] = [];
  keys.forEach((key, index) => {
    const after = afterOne(key, position[index] === null, index);
    if (after) alternatives.push(every([...equal, after]));
    equal.push(
      position[index] === null
        ? { sql: `${key.column} is null`, values: [] }
        : { sql: `${key.column} = ?::${key.type}`, values: [index] },
    );
  });
  const either = joined(alternatives, ' or ');
  const bound = position[0] === null ? null : boundOf(keys[0]);
  return bound ? every([bound, either]) : either;
}

function afterOne(key: SortKey, isEmpty: boolean, index: number): Continuation | null {
  if (isEmpty) return key.descending ? { sql: `${key.column} is not null`, values: [] } : null;
  const sql = `${key.column} ${beyond(key)} ?::${key.type}`;
  const emptyFollows = !key.descending && !key.alwaysSet;
  return { sql: emptyFollows ? `(${sql} or ${key.column} is null)` : sql, values: [index] };
}

/** Repeats the bound on the first column in a form that an index supports. */
function boundOf(first: SortKey | undefined): Continuation | null {
  if (!first || (!first.descending && !first.alwaysSet)) return null;
  return { sql: `${first.column} ${first.descending ? '<=' : '>='} ?::${first.type}`, values: [0] };
}

function every(parts: readonly Continuation[]): Continuation {
  return joined(parts, ' and ');
}

function joined(parts: readonly Continuation[], word: string): Continuation {
  return { sql: `(${parts.map(({ sql }) => sql).join(word)})`, values: parts.flatMap(({ values }) => values) };
}
