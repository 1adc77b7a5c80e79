import { ServiceError } from '@unified/contract';
import pg from 'pg';
import { querySessionOf, type Scope } from '../access/scope.ts';
import type { Parameter } from '../sql/parameter.ts';
import type { ByteBudget } from '../sql/statement.ts';
import { type CompiledQuery, compileQuery, type QueryInput } from './compile-query.ts';
import { queryFault } from './query-fault.ts';
import type { QueryTables } from './query-table.ts';
import { type ColumnType, type ResultType, resultType } from './query-types.ts';

/** Maximum cost of a statement as PostgreSQL estimates it, in its units: about the cost of reading 20 million records. */
export const COST_LIMIT = 5_000_000;

export interface QueryPart {
  /** Maximum number of rows to return. */
  readonly limit: number;
  /** Number of rows of the result to skip before them. */
  readonly offset: number;
  /** Bytes of the rows; a single row must not exceed it either. */
  readonly budget: ByteBudget;
}

export interface QueryRows {
  readonly columns: readonly { readonly name: string; readonly type: ColumnType }[];
  /** Values of each row as JSON. */
  readonly rows: readonly (readonly string[])[];
  /** Whether there are more rows. */
  readonly hasMore: boolean;
}

/**
 * What PostgreSQL expects a statement to do. Its statistics cover all connections, so estimates are rounded up to a power of
 * ten: exact ones would reveal which values the records of others have.
 */
export interface QueryPlan extends Pick<QueryRows, 'columns'> {
  /** In the units of PostgreSQL. */
  readonly cost: number;
  readonly costLimit: number;
}

/**
 * Runs a statement of MQL on the records of a connection and returns a part of its result. The order is the same for every
 * part. It runs as a user who can only read records, for at most 15 seconds. Throws SERVICE_INVALID_QUERY for one that is not
 * allowed or fails, SERVICE_QUERY_TOO_EXPENSIVE for one that PostgreSQL expects to exceed `COST_LIMIT`, that takes too long, or
 * whose first row exceeds the budget.
 */
export async function executeQuery(
  scope: Scope,
  input: QueryInput,
  tables: QueryTables,
  part: QueryPart,
): Promise<QueryRows> {
  const query = await compileQuery(input, tables);
  const { limit, hasMore } = rowsOf(query, part);
  const text = query.text({ limit, offset: query.offset + part.offset });
  const values = query.values(scope.connectionId);
  const cost = await costOf(scope, text, values);
  if (cost > COST_LIMIT) throw tooExpensive(cost);
  const mostBytes = part.budget.left;
  const { rows, fields } = await send(scope, text, values, part.budget);
  if (bytesOf(rows[0] ?? []) > mostBytes) throw tooLarge(mostBytes);
  const types = typesOf(query, fields);
  const shown = rows.slice(0, part.limit);
  return {
    columns: columnsOf(query, types),
    rows: shown.map((row) => row.map((value, at) => (value === null ? 'null' : (types[at]?.json(value) ?? 'null')))),
    hasMore: hasMore(rows.length) || part.budget.isExceeded,
  };
}

/** Estimates the cost of a statement without running it. Throws SERVICE_INVALID_QUERY. */
export async function explainQuery(scope: Scope, input: QueryInput, tables: QueryTables): Promise<QueryPlan> {
  const query = await compileQuery(input, tables);
  const text = query.text({ limit: query.limit ?? LARGEST_LIMIT, offset: query.offset });
  const values = query.values(scope.connectionId);
  const { fields } = await send(scope, query.text({ limit: 0, offset: 0 }), values);
  return {
    columns: columnsOf(query, typesOf(query, fields)),
    cost: rounded(await costOf(scope, text, values)),
    costLimit: COST_LIMIT,
  };
}

/** Rounds up to the next power of ten. */
function rounded(cost: number): number {
  return 10 ** Math.ceil(Math.log10(Math.max(1, cost)));
}

function typesOf({ columns }: CompiledQuery, fields: readonly pg.FieldDef[]): ResultType[] {
  return fields.map((field, at) => resultType(field.dataTypeID, columns[at]?.kind, arrayParser(field)));
}

function columnsOf({ columns }: CompiledQuery, types: readonly ResultType[]): QueryRows['columns'] {
  return columns.map(({ name }, at) => ({ name, type: types[at]?.type ?? 'text' }));
}

/** Largest LIMIT to send to PostgreSQL, which accepts 64-bit numbers. */
const LARGEST_LIMIT = Number.MAX_SAFE_INTEGER;

/** Reads one row more than requested to detect whether there are more, unless the statement itself allows no more. */
function rowsOf({ limit: allowed = LARGEST_LIMIT }: CompiledQuery, { limit, offset }: QueryPart) {
  const left = Math.max(0, allowed - offset);
  return { limit: Math.min(limit + 1, left), hasMore: (found: number) => found > limit };
}

async function costOf(scope: Scope, text: string, values: readonly Parameter[]): Promise<number> {
  const { rows } = await send(scope, `explain (format json) ${text}`, values);
  const [{ Plan: plan }] = JSON.parse(rows[0]?.[0] ?? '[{}]');
  return plan['Total Cost'];
}

async function send(scope: Scope, text: string, values: readonly Parameter[], budget?: ByteBudget) {
  try {
    return await querySessionOf(scope).result(text, values, budget);
  } catch (error) {
    throw explained(error);
  }
}

/** SQLSTATEs of a statement that took too long, or needed more memory or space than allowed. */
const EXCEEDED: ReadonlySet<string> = new Set(['57014', '53200', '53400', '54000']);

/** PostgreSQL reports a mistake in a statement as an error of syntax, type or value. */
function explained(error: unknown): unknown {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!(cause instanceof pg.DatabaseError)) return error;
  const code = cause.code ?? '';
  if (EXCEEDED.has(code)) {
    const message = 'The statement took longer than 15 seconds, or needed too much memory. Read fewer records.';
    return new ServiceError('SERVICE_QUERY_TOO_EXPENSIVE', message, { cause });
  }
  const isOfStatement = /^(22|42|0A|21)/.test(code);
  return isOfStatement ? queryFault(`${cause.message}.`) : error;
}

function bytesOf(row: readonly (string | null)[]): number {
  return row.reduce((sum, value) => sum + Buffer.byteLength(value ?? ''), 0);
}

function tooLarge(mostBytes: number): ServiceError {
  const message = `A row of the result has more than ${mostBytes} bytes. Select fewer columns, or parts of their texts.`;
  return new ServiceError('SERVICE_QUERY_TOO_EXPENSIVE', message, { details: [{ bytes: mostBytes }] });
}

function tooExpensive(cost: number): ServiceError {
  const estimate = rounded(cost);
  const message = `The statement would read too many records: its estimated cost is up to ${estimate}, and at most ${COST_LIMIT} is allowed. Add conditions to WHERE and to joins.`;
  return new ServiceError('SERVICE_QUERY_TOO_EXPENSIVE', message, { details: [{ cost: estimate, limit: COST_LIMIT }] });
}

function arrayParser({ dataTypeID }: pg.FieldDef): (text: string) => unknown {
  return pg.types.getTypeParser(dataTypeID, 'text');
}
