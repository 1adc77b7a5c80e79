import type { IncomingHttpHeaders } from 'node:http';
import { type Operation, ServiceError, type ValidatorShard } from '@unified/contract';
import type { Request, RequestHandler, Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { parseTimestamp } from '../../query/timestamp.ts';
import { bodiesInPlace } from './bodies-in-place.ts';
import { type DescribedParameters, describedPlaces, type ServedContract } from './served-contract.ts';
import { validationError } from './validation-error.ts';

/**
 * The parts of a request that the document describes, with the query decoded and the body parsed. Header names are in lower
 * case.
 */
interface UncheckedRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** A request after the check, with the declared types, defaults, and header names as in the document. */
export interface CheckedRequest {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export interface Validator {
  /** Checks a request against the document. Rejects with the error of `validationError`. */
  validate(operation: Operation, described: DescribedParameters, request: UncheckedRequest): Promise<CheckedRequest>;
}

const INTEGER = /^-?\d{1,15}$/;

/**
 * A validator made of one small express-openapi-validator per shard of the document. The first request to a shard builds it,
 * and the first request to an operation compiles its check in 5 to 50 ms. Compiling the checks of all operations in advance
 * took three seconds after each start and 50 MB, although most connections use only a few.
 */
export function createValidator(shards: ServedContract['shards']): Validator {
  const checks = { all: new Map<string, Check>(), first: new Map<string, Check>() };
  const checkOf = (shard: string, faults: keyof typeof checks = 'all'): Check => {
    const known = checks[faults].get(shard) ?? createCheck(shardOf(shards, shard), faults);
    checks[faults].set(shard, known);
    return known;
  };
  return {
    async validate(operation, described, request) {
      checkIntegers(described.integers, request.query);
      const sent = Object.fromEntries(
        described.headers.map((name) => [name.toLowerCase(), request.headers[name.toLowerCase()]]),
      );
      try {
        const check = checkOf(operation.shard, hasMany(request.body) ? 'first' : 'all');
        const { path, query, headers, body } = await check(operation, { ...request, headers: sent });
        const named = described.headers.flatMap((name) => {
          const value = headers[name.toLowerCase()];
          return typeof value === 'string' ? [[name, value]] : [];
        });
        return { path, query, headers: Object.fromEntries(named), body };
      } catch (error) {
        const { path, query, body } = request;
        throw validationError(error, { operation, places: describedPlaces(shards, operation), path, query, body });
      }
    },
  };
}

/**
 * Maximum number of values in a body for which all faults are collected. Collecting 40,000 faults blocked all requests for a
 * second.
 */
const MOST_COLLECTED = 2_000;

/** Whether a body has too many values for collecting all of its faults. Such a body is refused for the first fault. */
function hasMany(body: unknown): boolean {
  const left = [body];
  for (let count = 0; left.length > 0; count += 1) {
    const value = left.pop();
    if (count + left.length > MOST_COLLECTED) return true;
    if (value === null || typeof value !== 'object') continue;
    for (const item of Object.values(value)) left.push(item);
  }
  return false;
}

/** The validator coerces `1e1`, `0x10` and ` 5 ` to numbers, but a page number must be written in digits. */
function checkIntegers(names: readonly string[], query: Readonly<Record<string, unknown>>): void {
  for (const name of names) {
    const value = query[name];
    if (typeof value !== 'string' || INTEGER.test(value)) continue;
    const message = 'Send a whole number.';
    throw new ServiceError('SERVICE_INVALID_PARAMETER', `query/${name}: ${message}`, {
      details: [{ path: `query/${name}`, message }],
    });
  }
}

function shardOf(shards: ServedContract['shards'], name: string) {
  const shard = shards[name];
  if (!shard) throw new Error(`The contract has no validator document "${name}".`);
  return shard;
}

/** Checks the parts of a request; resolves to them with coerced types and defaults. */
export type Check = (operation: Operation, parts: UncheckedRequest) => Promise<UncheckedRequest>;

/** The route that the validator adds to a request. */
interface CheckedRoute {
  readonly pathParams: Readonly<Record<string, string>>;
}
type RequestOfLibrary = Request & { openapi?: CheckedRoute };

const app = { enabled: () => true, param: () => undefined };
const noResponse = {} as Response;

/**
 * Dates and timestamps have the same rules as in filters: existing days, with an offset, between the years 1 and 9999. The last
 * format is a web address.
 */
const formats = {
  date: { type: 'string', validate: (text: string) => text.length === 10 && parseTimestamp(text) !== undefined },
  'date-time': { type: 'string', validate: (text: string) => text.length > 10 && parseTimestamp(text) !== undefined },
  uri: { type: 'string', validate: isWebAddress },
} as const;

/**
 * A check by express-openapi-validator for the operations of one shard. It is called as a function, with a request that
 * contains only what the operation describes: the validator caches compiled checks by media type, so a client could fill the
 * memory with media types. Depending on `faults`, it stops at the first fault or collects all of them.
 */
function createCheck(shard: ValidatorShard, faults: 'all' | 'first'): Check {
  const handlers = middleware({
    apiSpec: bodiesInPlace(shard) as Parameters<typeof middleware>[0]['apiSpec'],
    validateApiSpec: false,
    validateRequests: { allErrors: faults === 'all' },
    validateResponses: false,
    validateSecurity: false,
    ajvFormats: { mode: 'full' },
    formats,
    fileUploader: false,
  }) as unknown as RequestHandler[];
  const routes = new Map<string, CheckedRoute>();
  return async (operation, parts) => {
    const request = requestOf(operation, parts);
    const route = routes.get(operation.id);
    // The validator tries all patterns of the document to find a route, so the route is kept for later requests.
    if (route) request.openapi = { ...route, pathParams: parts.path };
    for (const handler of route ? handlers.slice(-1) : handlers) await call(handler, request);
    if (!route && request.openapi) routes.set(operation.id, request.openapi);
    // In the first request, the validator reads the path itself, and coerces only what it has read.
    const path = request.openapi?.pathParams ?? parts.path;
    return { path, query: request.query, headers: request.headers, body: request.body };
  };
}

function requestOf(operation: Operation, { path, query, headers, body }: UncheckedRequest): RequestOfLibrary {
  const address = operation.path.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(path[name] ?? '-'));
  return {
    app,
    method: operation.method.toUpperCase(),
    baseUrl: '',
    path: address,
    originalUrl: address,
    url: address,
    headers: { ...headers, 'content-type': 'application/json' },
    params: path,
    query,
    body,
  } as unknown as RequestOfLibrary;
}

function call(handler: RequestHandler, request: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    handler(request, noResponse, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
}

/** Characters that a URL parser would silently drop or rewrite. */
const UNSAFE = /[\s\p{Cc}\\]/u;
const HOST = /^https?:\/\/([^/?#]+)/i;

/** Whether a string is a web address: `http` or `https`, with a host, and without a user or password. */
export function isWebAddress(text: string): boolean {
  const [, authority] = HOST.exec(text) ?? [];
  return authority !== undefined && !authority.includes('@') && !UNSAFE.test(text) && URL.canParse(text);
}
