import { requestError } from '../../request-error.ts';
import type { Tool } from './tools.ts';

/** The arguments of a call, by name. */
export type Arguments = Readonly<Record<string, unknown>>;

/** The parts of the request that corresponds to a call, before they are checked. */
export interface CallRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly queryText: string;
  /** Undefined if there is no body. */
  readonly body: unknown;
}

/** Number of records per page if a call does not specify it: responses to agents should be small. */
const PER_PAGE = 10;

/**
 * The request for a call: path arguments, `body`, and all others as the query. They are checked like those of any request.
 * Throws SERVICE_INVALID_BODY for a path argument that is missing or not a single value, or for an argument that a query cannot
 * contain.
 */
export function callRequest({ operation }: Tool, given: Arguments): CallRequest {
  const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(inPath.map((name) => [name, pathText(name, given[name])]));
  const isRead = operation.method === 'get';
  const { body, ...others } = given;
  const defaults = operation.kind === 'list' ? { per_page: PER_PAGE } : {};
  const query = Object.entries({ ...defaults, ...others, ...(isRead && body !== undefined && { body }) })
    .filter(([name]) => !inPath.includes(name))
    .flatMap(([name, value]) => queryTerms(name, value));
  return { params, queryText: query.join('&'), body: isRead ? undefined : body };
}

/** An argument for the path. A list is refused, because the rules of a policy would not recognize the record that it names. */
function pathText(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  throw requestError('SERVICE_INVALID_BODY', `arguments/${name}`, 'Send a text or a number.');
}

function queryTerms(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (name !== 'filter' || typeof value !== 'object') return [term(name, textOf(name, value))];
  return Object.entries(value).flatMap(([field, condition]) => {
    if (typeof condition !== 'object' || condition === null || Array.isArray(condition))
      return [term(`filter[${field}]`, textOf('filter', condition))];
    return Object.entries(condition).map(([operator, each]) =>
      term(`filter[${field}:${operator}]`, textOf('filter', each)),
    );
  });
}

function term(name: string, value: string): string {
  return `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
}

/** A value as it is written in a query; the items of a list are separated by commas. */
function textOf(name: string, value: unknown): string {
  if (Array.isArray(value)) return value.map((item) => textOf(name, item)).join(',');
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw requestError('SERVICE_INVALID_BODY', `arguments/${name}`, 'Send a text, a number or true or false.');
}
