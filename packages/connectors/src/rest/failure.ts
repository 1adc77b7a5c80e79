import type { IncomingHttpHeaders } from 'node:http';
import { parseExactJson } from '../exact-number.ts';
import { retryAfterSeconds } from '../http/http-failure.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { SystemError, type SystemErrorKind } from '../system-error.ts';
import { valueAt } from './json-body.ts';
import type { PlatformOptions } from './options.ts';

/** Meanings of HTTP statuses. */
const KINDS: Readonly<Record<number, SystemErrorKind>> = {
  401: 'unauthorized',
  402: 'payment',
  403: 'forbidden',
  409: 'conflict',
  410: 'gone',
  412: 'outdated',
  423: 'conflict',
  429: 'throttled',
};

/** Maximum number of messages taken from one response. */
const MOST_MESSAGES = 20;

/**
 * The error for a response that is not a success, with the messages that the platform finds in its body.
 *
 * @param changes whether the call could have changed something; if so, a failure of the server leaves the outcome unknown
 */
export function failureOf(
  response: HttpResponse,
  { name, options, changes }: { readonly name: string; readonly options: PlatformOptions; readonly changes: boolean },
): SystemError {
  const { status, headers } = response;
  if (status < 400)
    return new SystemError('invalid', `${name} redirects the call (HTTP ${status}): correct the setting "url"`);
  const { kind = kindOf(status, changes), messages = [] } =
    options.failures?.[status] ?? options.failures?.default ?? {};
  const texts = messagesIn(response.body, messages);
  const words = texts.length > 0 ? texts.join('; ') : `${name} returned HTTP status ${status} without a reason`;
  const retryAfter = secondsToWait(headers, options) ?? (kind === 'throttled' ? 60 : undefined);
  return new SystemError(kind, words, retryAfter === undefined ? {} : { retryAfter });
}

function kindOf(status: number, changes: boolean): SystemErrorKind {
  // Proxies also return 503 for a change that they passed on, some with Retry-After.
  if (status >= 500) return changes ? 'unknown' : 'unavailable';
  if (status === 404) return changes ? 'gone' : 'rejected';
  return KINDS[status] ?? 'rejected';
}

function secondsToWait(headers: IncomingHttpHeaders, { retryAfter }: PlatformOptions): number | undefined {
  const standard = retryAfterSeconds(headers['retry-after']);
  if (standard !== undefined || !retryAfter) return standard;
  const value = headers[retryAfter.header.toLowerCase()];
  if (retryAfter.as === 'seconds' || value === undefined) return retryAfterSeconds(value);
  return retryAfterSeconds(new Date(Number(value) * 1000).toUTCString());
}

/** Texts at paths of a body, including those in nested lists and objects. */
function messagesIn(body: Buffer, paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  let parsed: unknown;
  try {
    parsed = parseExactJson(body.toString('utf8'));
  } catch {
    // A page from a proxy, or an empty body: the status is all there is.
    return [];
  }
  return paths.flatMap((path) => textsIn(valueAt(parsed, path))).slice(0, MOST_MESSAGES);
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
