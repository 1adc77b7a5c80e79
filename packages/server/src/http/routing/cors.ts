import type { IncomingMessage } from 'node:http';
import { addressOf, dataPrefix } from '@unified/contract';
import type { HttpResponse } from '../../http-response.ts';
import type { Match } from './router.ts';

/** Response headers that scripts of other origins may read. */
const EXPOSED = [
  'Accept-Ranges',
  'Allow',
  'Content-Disposition',
  'Content-Range',
  'Data-Position',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'Retry-After',
  'Sunset',
  'Write-Id',
  'Write-Warnings',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

/** Headers that scripts of other origins may send. */
const SENDABLE =
  'Authorization, Content-Type, Data-Position, Idempotency-Key, If-Match, If-None-Match, If-Range, Last-Event-ID, Prefer, Range, X-Request-Id';

const ANY_ORIGIN = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED];

/** Browsers navigate to this address, and have a cookie for it (RFC 9700, section 2.6). */
const NAVIGATED = addressOf('authorize');

/** Addresses of the console, whose requests have a cookie, so only its own pages may read them. */
const OF_CONSOLE = new RegExp(`^${dataPrefix}/console(?:/|$)`);

/**
 * Headers that allow pages of any origin to call the API. Every credential of the data API and the Management API is a bearer
 * token, never a cookie, so an origin alone has no access. Empty for the console, and for the address to which end users are sent.
 */
export function corsHeaders(path: string): readonly string[] {
  return isClosed(path) ? [] : ANY_ORIGIN;
}

function isClosed(path: string): boolean {
  return path === NAVIGATED || OF_CONSOLE.test(path);
}

/** The response to a browser's preflight request for a path; undefined for any other request. */
export function preflightResponse(
  { method, headers }: IncomingMessage,
  { path, match }: { readonly path: string; readonly match: Match },
): HttpResponse | undefined {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
  if (isClosed(path) || match.operation || match.allowed.length === 0) return undefined;
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': match.allowed.join(', '),
      'Access-Control-Allow-Headers': SENDABLE,
      'Access-Control-Max-Age': '86400',
    },
  };
}
