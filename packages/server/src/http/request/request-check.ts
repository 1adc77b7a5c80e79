import type { IncomingHttpHeaders } from 'node:http';
import type { Operation, ValidatorShard } from '@unified/contract';
import type { Request, RequestHandler, Response } from 'express';
import { middleware } from 'express-openapi-validator';
import { parseTimestamp } from '../../query/timestamp.ts';

/** The parts of a request that the document describes; header names in lower case. */
interface Parts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Record<string, unknown>;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** Checks the parts of a request; resolves to them with types coerced and defaults filled in. */
export type Check = (operation: Operation, parts: Parts) => Promise<Parts>;

/** What the validator notes on a request about the route that it found. */
interface CheckedRoute {
  readonly pathParams: Readonly<Record<string, string>>;
}
type CheckedRequest = Request & { openapi?: CheckedRoute };

const app = { enabled: () => true, param: () => undefined };
const noResponse = {} as Response;

/** Days and moments as filters take them: of the calendar, with an offset, between the years 1 and 9999. */
const formats = {
  date: { type: 'string', validate: (text: string) => text.length === 10 && parseTimestamp(text) !== undefined },
  'date-time': { type: 'string', validate: (text: string) => text.length > 10 && parseTimestamp(text) !== undefined },
} as const;

/**
 * A check by express-openapi-validator for the operations of one shard. It is called as a function, with a request made
 * of what the operation describes and nothing else: the validator keeps compiled checks by media type, so a media type
 * from outside would let a client fill the memory.
 */
export function createCheck(shard: ValidatorShard): Check {
  const handlers = middleware({
    apiSpec: shard as Parameters<typeof middleware>[0]['apiSpec'],
    validateApiSpec: false,
    validateRequests: { allErrors: true },
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
    // The validator finds its route by trying all patterns of the document; what it found holds for every later request.
    if (route) request.openapi = { ...route, pathParams: parts.path };
    for (const handler of route ? handlers.slice(-1) : handlers) await call(handler, request);
    if (!route && request.openapi) routes.set(operation.id, request.openapi);
    return { path: parts.path, query: request.query, headers: request.headers, body: request.body };
  };
}

function requestOf(operation: Operation, { path, query, headers, body }: Parts): CheckedRequest {
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
  } as unknown as CheckedRequest;
}

function call(handler: RequestHandler, request: Request): Promise<void> {
  return new Promise((resolve, reject) => {
    handler(request, noResponse, (error?: unknown) => (error === undefined ? resolve() : reject(error)));
  });
}
