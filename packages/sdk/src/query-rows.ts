import type { Api } from './api.ts';
import type { CallOptions } from './calls.ts';
import type { components } from './generated/types.ts';
import { type RecordList, recordList } from './record-list.ts';
import { unwrapped } from './write.ts';

type QueryColumnSchema = components['schemas']['QueryColumn'];

/** A column of a result: its name, and the type of its values. */
export interface QueryColumn extends QueryColumnSchema {}
export type QueryParameter = components['schemas']['QueryParameter'];

/** The values of each type of column. Dates and times are texts (ISO 8601); a relation is the id of a record. */
interface QueryValues {
  text: string;
  number: number;
  integer: number;
  boolean: boolean;
  date: string;
  datetime: string;
  enumeration: string;
  relation: string;
  texts: string[];
  relations: string[];
}

/** Names and types of columns: `{ vendor: 'text', orders: 'integer' }`. */
export type QueryColumns = Readonly<Record<string, keyof QueryValues>>;

/** A row by the names of its columns. Any value may be null. */
export type QueryRow<Columns extends QueryColumns> = string extends keyof Columns
  ? Readonly<Record<string, QueryValues[keyof QueryValues] | null>>
  : { readonly [Name in keyof Columns]: QueryValues[Columns[Name]] | null };

export interface QueryOptions<Columns extends QueryColumns> extends CallOptions {
  /** Values of `$1`, `$2` and so on. */
  readonly parameters?: readonly QueryParameter[] | undefined;
  /** The columns of the statement. They are the type of the rows, and are compared with those of the result. */
  readonly columns?: Columns | undefined;
}

/** Position of a page in a result, and the columns of its rows. */
export interface QueryMeta {
  readonly has_more: boolean;
  readonly next_cursor: string | null;
  readonly columns: readonly QueryColumn[];
}

/**
 * Runs a statement of the query language: await it for the first 500 rows, or iterate over all of them. With `columns`, the rows
 * are typed; it rejects with a `TypeError` if the result has others.
 */
export type Query = <const Columns extends QueryColumns = QueryColumns>(
  statement: string,
  options?: QueryOptions<Columns>,
) => RecordList<QueryRow<Columns>, QueryMeta>;

type Result = components['schemas']['QueryResult'];

export function query(api: Api): Query {
  const run = (statement: string, { parameters = [], columns, signal }: QueryOptions<QueryColumns> = {}) =>
    recordList(async (cursor) => {
      const body = {
        ...{ statement, parameters: Object.fromEntries(parameters.map((value, at) => [at + 1, value])) },
        ...(cursor !== undefined && { cursor }),
      };
      const { body: found } = await api.call({ method: 'post', path: '/query', body, signal });
      const result = unwrapped(found) as Result;
      if (columns) checkColumns(columns, result.columns);
      const meta = { has_more: result.nextCursor !== null, next_cursor: result.nextCursor, columns: result.columns };
      return { data: result.rows.map((row) => rowOf(result.columns, row)), meta };
    });
  return run as unknown as Query;
}

function rowOf(columns: readonly QueryColumn[], values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ name }, at) => [name, values[at]]));
}

/** Compares the declared columns with those of a result, in any order. */
function checkColumns(declared: QueryColumns, found: readonly QueryColumn[]): void {
  const shown = (columns: readonly (readonly [string, string])[]) =>
    columns
      .map(([name, type]) => `${name}: ${type}`)
      .sort()
      .join(', ');
  const [wanted, actual] = [shown(Object.entries(declared)), shown(found.map(({ name, type }) => [name, type]))];
  if (wanted !== actual)
    throw new TypeError(`The result has the columns { ${actual} }, not { ${wanted} }. Correct columns.`);
}
