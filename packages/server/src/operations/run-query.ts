import { hash } from 'node:crypto';
import { type Request, ServiceError } from '@unified/contract';
import {
  budgetOf,
  compileQuery,
  executeQuery,
  explainQuery,
  type QueryInput,
  type QueryParameter,
  type QueryRows,
  type QueryTable,
  type QueryTables,
  queryTables,
  type Scope,
  storedCustomFields,
} from '@unified/store';
import { everything } from '../query/token-access.ts';
import type { DataContext } from './context.ts';
import { queryCsv, queryJson, queryLines } from './query-formats.ts';

/** A statement as a client sends it. */
export type Statement = Request<'runQuery'>['body'];
type Parameters = NonNullable<Statement['parameters']>;
type Value = Parameters[string];

const JSON_TYPE = 'application/json';
const LINES_TYPE = 'application/x-ndjson';
const CSV_TYPE = 'text/csv';
const TYPES = [JSON_TYPE, LINES_TYPE, CSV_TYPE];

/** Maximum number of rows of a page in JSON, and of a response in another format. */
const PAGE = 500;
const EXPORT = 50_000;

/** Maximum number of rows before a page: PostgreSQL reads all of them again. */
const DEEPEST = 1_000_000;

/**
 * Runs a statement on what the token gives access to. Throws SERVICE_INVALID_QUERY, SERVICE_QUERY_TOO_EXPENSIVE,
 * SERVICE_INVALID_BODY, SERVICE_INVALID_CURSOR and SERVICE_NOT_ACCEPTABLE.
 */
export async function runQuery({ body }: Request<'runQuery'>, context: DataContext) {
  const type = context.accepts(TYPES);
  if (type === undefined) throw notAcceptable();
  const input = inputOf(body);
  const tables = queryTables(await visibleTables(context, body.statement));
  if (body.explain)
    return { status: 200, body: await explanation(context.scope, input, tables), headers: VARY } as const;
  const limit = type === JSON_TYPE ? PAGE : EXPORT;
  const offset = body.cursor === undefined ? 0 : offsetOf(body, context);
  const budget = budgetOf(context.largestResponse);
  const found = await executeQuery(context.scope, input, tables, { limit, offset, budget });
  const next = found.hasMore ? cursorOf(body, context, offset + found.rows.length) : null;
  return inFormat(type, found, next);
}

/**
 * Names of the entities that a statement reads, including those that paths lead to. Throws SERVICE_INVALID_QUERY and
 * SERVICE_INVALID_BODY.
 */
export async function entitiesRead(body: Statement, scope: Scope): Promise<readonly string[]> {
  const tables = queryTables(await visibleTables({ scope, narrow: everything }, body.statement));
  return (await compileQuery(inputOf(body), tables)).entities;
}

function inputOf({ statement, parameters = {} }: Statement): QueryInput {
  return { statement, parameters: parametersOf(parameters) };
}

const VARY = { Vary: 'Accept' };

function inFormat(type: string, found: QueryRows, next: string | null) {
  if (type === JSON_TYPE) {
    return { status: 200, body: { json: queryJson(found, next) }, headers: VARY } as const;
  }
  const headers = next === null ? VARY : { ...VARY, 'Next-Cursor': next };
  if (type === CSV_TYPE) return { status: 200, type: CSV_TYPE, body: queryCsv(found), headers } as const;
  return { status: 200, type: LINES_TYPE, body: queryLines(found), headers } as const;
}

/** What the token gives access to, as tables. Custom fields are read only for statements that may use them. */
async function visibleTables(
  { scope, narrow }: Pick<DataContext, 'scope' | 'narrow'>,
  statement: string,
): Promise<QueryTable[]> {
  const visible = Object.values(scope.entities).flatMap((entity) => narrow(entity) ?? []);
  const withCustom = /customfields/i.test(statement) ? visible.filter(({ field }) => field.customFields) : [];
  const names = withCustom.map(({ name }) => name);
  const custom = names.length > 0 ? await storedCustomFields(scope, names) : new Map<string, never[]>();
  return visible.map((entity) => ({ entity, customFields: custom.get(entity.name) ?? [] }));
}

async function explanation(scope: DataContext['scope'], ...query: readonly [QueryInput, QueryTables]) {
  const { columns, ...plan } = await explainQuery(scope, ...query);
  return { data: { columns: [...columns], rows: [], nextCursor: null, plan } };
}

const NUMBERED = /^([1-9]\d?|100)$/;

function parametersOf(given: Parameters): ReadonlyMap<number, QueryParameter> {
  return new Map(
    Object.entries(given).map(([name, value]) => {
      if (!NUMBERED.test(name)) throw invalid(name, 'Name parameters by their number in the statement, from 1 to 100.');
      return [Number(name), parameterOf(name, value)] as const;
    }),
  );
}

function parameterOf(name: string, value: Value): QueryParameter {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.some((each) => typeof each === 'string' && each.includes('\0'))) throw invalid(name, 'Send no NUL bytes.');
  return Array.isArray(value) ? value.map((each) => (each === null ? null : String(each))) : value;
}

function invalid(name: string, message: string): ServiceError {
  const details = [{ path: `body.parameters.${name}`, message }];
  return new ServiceError('SERVICE_INVALID_BODY', `parameters["${name}"]: ${message}`, { details });
}

/** A cursor contains the number of rows before a page, for this statement on this connection. */
function cursorOf(body: Statement, context: DataContext, offset: number): string {
  return Buffer.from(JSON.stringify([digestOf(body, context), offset])).toString('base64url');
}

function offsetOf(body: Statement, context: DataContext): number {
  const parts = partsOf(body.cursor ?? '');
  const [digest, offset] = parts;
  if (digest !== digestOf(body, context) || typeof offset !== 'number' || !Number.isSafeInteger(offset) || offset < 1) {
    const message =
      'The cursor is invalid, or belongs to another statement or other parameters. Start again without it.';
    throw new ServiceError('SERVICE_INVALID_CURSOR', message);
  }
  if (offset <= DEEPEST) return offset;
  const message = `Only the first ${DEEPEST} rows of a result can be read. Add a condition such as id > $1, with the last id.`;
  throw new ServiceError('SERVICE_INVALID_CURSOR', message);
}

function partsOf(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}

function digestOf({ statement, parameters = {} }: Statement, { scope }: DataContext): string {
  const sorted = Object.entries(parameters).toSorted(([a], [b]) => Number(a) - Number(b));
  return hash('sha256', JSON.stringify([scope.connectionId, statement, sorted]), 'base64url').slice(0, 22);
}

function notAcceptable(): ServiceError {
  return new ServiceError('SERVICE_NOT_ACCEPTABLE', `Accept ${TYPES.join(', ')}.`, { details: [{ accepted: TYPES }] });
}
