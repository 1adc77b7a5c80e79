import { invalidCursor } from '../access/invalid-cursor.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import type { ByteBudget } from '../sql/statement.ts';
import { conditionSql, numberOf, type RawCondition, READABLE, textOf } from './raw-value.ts';

/** A stored row, with the instant at which it was stored. */
export interface StoredRow {
  readonly key: string;
  readonly row: Record<string, unknown>;
  /** RFC 3339. */
  readonly savedAt: string;
}

/** What rows are sorted by: their key, the instant at which they were stored, or a column. Ties are broken by the key. */
export interface RawSort {
  readonly by: 'key' | 'savedAt' | { readonly column: string };
  readonly descending: boolean;
}

export interface RawQuery {
  readonly stream: string;
  readonly conditions: readonly RawCondition[];
  readonly sort: RawSort;
  readonly limit: number;
  /** `nextCursor` of the previous page. */
  readonly cursor?: string | undefined;
}

/** An expression that rows are sorted by, and the type of its value in a cursor. */
type SortTerm = readonly [sql: string, type: 'text' | 'numeric' | 'int' | 'timestamptz'];

/** Rows of a stream; fewer if more would exceed the budget. Throws SERVICE_INVALID_CURSOR. */
export async function listRawRows(
  scope: Scope,
  { stream, conditions, sort, limit, cursor }: RawQuery,
  budget?: ByteBudget,
): Promise<{ rows: StoredRow[]; nextCursor: string | null }> {
  const values: (string | number | readonly string[])[] = [scope.connectionId, stream];
  const placeholders = { add: (value: string | readonly string[]) => `$${values.push(value)}` };
  const where = conditions.map((each) => ` and ${conditionSql(each, placeholders)}`).join('');
  const terms = termsOf(sort, placeholders.add);
  const order = terms.map(([sql]) => `${sql}${sort.descending ? ' desc' : ''}`).join(', ');
  const name = JSON.stringify([stream, sort]);
  const after =
    cursor === undefined ? '' : ` and ${continuation(terms, sort, readCursor(cursor, name, terms), placeholders)}`;
  const position = terms.map(([sql]) => `(${sql})::text`).join(', ');
  const found = await sessionOf(scope).runBulk<StoredRow & { position: string[] }>(
    `select key, row, "savedAt", array[${position}] as position
       from (select key, row, "savedAt", ${READABLE} as readable from unified.raw_rows
              where connection_id = $1 and stream = $2 and "deletedAt" is null) stored
      where true${where}${after}
      order by ${order} limit $${values.push(limit + 1)}::int`,
    values,
    budget,
  );
  const shown = found.slice(0, limit);
  const hasMore = found.length > limit || budget?.isExceeded === true;
  const last = hasMore ? shown.at(-1) : undefined;
  return {
    rows: shown.map(({ key, row, savedAt }) => ({ key, row, savedAt })),
    nextCursor: last ? Buffer.from(JSON.stringify([name, ...last.position])).toString('base64url') : null,
  };
}

const KEY: SortTerm = ['key', 'text'];

/** Numbers come before other values, which come before rows without a value. */
function termsOf({ by }: RawSort, add: (value: string) => string): SortTerm[] {
  if (by === 'key') return [KEY];
  if (by === 'savedAt') return [['"savedAt"', 'timestamptz'], KEY];
  const text = `(${textOf(`${add(by.column)}::text`)})`;
  const number = `(${numberOf(text)})`;
  return [
    [`case when ${number} is not null then 0 when ${text} is not null then 1 else 2 end`, 'int'],
    [`coalesce(${number}, 0)`, 'numeric'],
    [`left(coalesce(${text}, ''), 200) collate "C"`, 'text'],
    KEY,
  ];
}

function continuation(
  terms: readonly SortTerm[],
  { descending }: RawSort,
  position: readonly string[],
  { add }: { add(value: string): string },
): string {
  const left = terms.map(([sql]) => sql).join(', ');
  const right = terms.map(([, type], index) => `${add(position[index] ?? '')}::${type}`).join(', ');
  return `(${left}) ${descending ? '<' : '>'} (${right})`;
}

const FORMS = {
  text: /^[^\0]*$/,
  int: /^[012]$/,
  numeric: /^-?\d{1,30}(\.\d{1,15})?$/,
  timestamptz: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?[+-]\d\d(:\d\d)*$/,
} as const;

/** The position in a cursor. Throws SERVICE_INVALID_CURSOR if it is invalid or belongs to another list. */
function readCursor(cursor: string, name: string, terms: readonly SortTerm[]): string[] {
  const [list, ...position] = parsed(cursor);
  const fits = list === name && position.length === terms.length;
  const isValid = terms.every(([, type], index) => {
    const value = position[index];
    return typeof value === 'string' && FORMS[type].test(value);
  });
  if (fits && isValid) return position as string[];
  throw invalidCursor();
}

function parsed(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(value) ? value : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Number of rows of each stream whose columns are read. */
const SAMPLE = 20;

/** The column names that occur in the first rows of each stream. */
export async function sampledColumns(
  scope: Scope,
  streams: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await sessionOf(scope).runBulk<{ stream: string; names: string[] }>(
    `select given.stream, array_agg(distinct name) as names
       from unnest($2::text[]) given(stream)
       cross join lateral (
         select row from unified.raw_rows
          where connection_id = $1 and stream = given.stream and "deletedAt" is null order by key limit ${SAMPLE}) sample
       cross join lateral json_object_keys(${READABLE}) name
      group by given.stream`,
    [scope.connectionId, streams],
  );
  return new Map(rows.map(({ stream, names }) => [stream, names]));
}

/** Whether a row of a stream has a column. Reads rows until it finds one. */
export async function hasColumn(scope: Scope, stream: string, column: string): Promise<boolean> {
  const rows = await sessionOf(scope).runBulk<{ found: number }>(
    `select 1 as found from unified.raw_rows
      where connection_id = $1 and stream = $2 and "deletedAt" is null
        and (${READABLE}) -> $3::text is not null
      limit 1`,
    [scope.connectionId, stream, column],
  );
  return rows.length > 0;
}
