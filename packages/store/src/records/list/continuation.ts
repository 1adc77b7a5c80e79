import type { Position } from './cursor.ts';
import type { SortKey } from './sort-key.ts';

/**
 * SQL for "the records after this position", as alternatives that exclude each other; `values` lists the keys whose
 * values replace its `?`, in order.
 */
export interface Continuation {
  readonly sql: string;
  readonly values: readonly number[];
}

/**
 * Conditions that select the records after a position. Ascending lists end with the records without a value, descending ones begin with them,
 * as PostgreSQL does by default.
 *
 * For one field and the id, each alternative is one range of the index (field, id), so that any depth costs the same;
 * there are two where the field may be empty. Several fields give one condition, bounded by the first.
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
  // Ascending: after a value come greater ones, then the empty. Descending: after an empty one come those with a value.
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

/** Repeats, in a form that an index supports, that nothing before the first value can follow. */
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
