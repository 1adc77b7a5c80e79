import type { Api } from './api.ts';
import type { CallOptions } from './calls.ts';
import type { components } from './generated/types.ts';
import { pathSegment } from './path-segment.ts';
import type { RecordList } from './record-list.ts';
import { list } from './resource.ts';
import { unwrapped } from './write.ts';

type RawTableSchema = components['schemas']['RawTable'];
type RawRowSchema = components['schemas']['RawRow'];
type PassthroughResultSchema = components['schemas']['PassthroughResult'];

export interface RawTable extends RawTableSchema {}
export interface RawRow extends RawRowSchema {}
export interface PassthroughResult extends PassthroughResultSchema {}

type Value = string | number | boolean | null;

/** Conditions on the columns of raw rows: `{ name: { startsWith: 'A' }, active: true }`. */
export type RawFilter = Readonly<
  Record<
    string,
    | Value
    | {
        readonly [operator in
          | 'eq'
          | 'neq'
          | 'gt'
          | 'gte'
          | 'lt'
          | 'lte'
          | 'contains'
          | 'startsWith'
          | 'endsWith']?: Value;
      }
    | { readonly in: readonly (string | number)[] }
  >
>;

export interface RawRowOptions extends CallOptions {
  readonly filter?: RawFilter | undefined;
  /** `key`, `savedAt` or a column; with a leading `-` in descending order. */
  readonly sort?: string | undefined;
  readonly per_page?: number | undefined;
  readonly cursor?: string | null | undefined;
}

/** Rows as the connected system sent them. */
export interface Raw {
  /** The streams of the connection, with their columns. */
  tables(options?: CallOptions): Promise<RawTable[]>;
  /** The rows of a stream: await it for the first page, or iterate over all of them. */
  rows(table: string, options?: RawRowOptions): RecordList<RawRow>;
}

/**
 * Calls the connected system with the credentials of the connection, and returns its response, whatever its status. It is not
 * repeated after a failure. The token needs the scope `passthrough`.
 */
export type Passthrough = (
  request: components['schemas']['PassthroughRequest'],
  options?: CallOptions,
) => Promise<PassthroughResult>;

export function raw(api: Api): Raw {
  return {
    tables: async ({ signal } = {}) =>
      unwrapped((await api.call({ method: 'get', path: '/raw/tables', signal })).body) as RawTable[],
    rows: (table, options = {}) =>
      list(api, () => `/raw/tables/${pathSegment(table)}/rows`, options as object) as unknown as RecordList<RawRow>,
  };
}

export function passthrough(api: Api): Passthrough {
  return async (request, { signal } = {}) =>
    unwrapped(
      (await api.call({ method: 'post', path: '/passthrough', body: request, signal })).body,
    ) as PassthroughResult;
}
