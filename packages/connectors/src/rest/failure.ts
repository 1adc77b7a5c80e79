import type { IncomingHttpHeaders } from 'node:http';
import { beginningOf } from '../cut-text.ts';
import { retryAfterSeconds } from '../http/http-failure.ts';
import { parseReceived } from '../http/received-json.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { SystemError, type SystemErrorKind } from '../system-error.ts';
import { isObject, valueAt, valuesAt } from './json-body.ts';
import type { FailureOptions, MessagePlace, PlatformOptions } from './options.ts';
import { parsedBody } from './parsed-body.ts';

/** Meanings of HTTP statuses. */
const KINDS: Readonly<Record<number, SystemErrorKind>> = {
  401: 'unauthorized',
  402: 'payment',
  403: 'forbidden',
  409: 'conflict',
  410: 'gone',
  412: 'outdated',
  423: 'conflict',
  425: 'unavailable',
  429: 'throttled',
};

/** Whether the body of a response with a status of success reports a failure, as the platform declares it. */
export function reportsFailure({ body }: Pick<HttpResponse, 'body'>, { failedBy }: PlatformOptions): boolean {
  if (failedBy === undefined) return false;
  const content = contentOf(body);
  if (typeof failedBy === 'string') return hasContent(valueAt(content, failedBy));
  const value = valueAt(content, failedBy.path) ?? null;
  return value !== null && !failedBy.unless.some((each) => String(each) === String(value));
}

function hasContent(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
}

/** Maximum number of messages taken from one response. */
const MOST_MESSAGES = 20;

/**
 * The error for a response that reports a failure, by its status or in its body, with the messages that the platform finds in its
 * body.
 *
 * @param changes whether the call could have changed something; if so, a failure of the server leaves the outcome unknown
 */
export function failureOf(
  response: HttpResponse,
  { name, options, changes }: { readonly name: string; readonly options: PlatformOptions; readonly changes: boolean },
): SystemError {
  const { status, headers } = response;
  if (status >= 300 && status < 400)
    return new SystemError('invalid', `${name} redirects the call (HTTP ${status}). Correct the setting "url"`);
  const { kind: meant, codes } = meaningOf(status, options);
  const requested = secondsToWait(headers, options);
  // Some systems limit calls with status 403. Their own headers may be in every response.
  const isLimit = status === 403 && retryAfterSeconds(headers['retry-after']) !== undefined;
  const general = isLimit ? 'throttled' : kindOf(status, changes);
  const kind = meant ?? (codes && codedKind(contentOf(response.body), status, codes)) ?? general;
  const reason = reasonIn(response, options);
  const words = reason ?? withoutReason(name, status);
  const retryAfter = requested ?? (kind === 'throttled' ? 60 : undefined);
  if (reason !== undefined || response.body.length === 0) return new SystemError(kind, words, { retryAfter });
  return new SystemError(kind, words, { retryAfter, isUnread: true, cause: beginningOf(response.body) });
}

/** The messages in a response, at the places that the platform declares for its status; undefined if there are none. */
export function reasonIn(
  { status, body }: Pick<HttpResponse, 'status' | 'body'>,
  options: PlatformOptions,
): string | undefined {
  const { messages = [] } = meaningOf(status, options);
  const texts = messages.length > 0 ? messagesIn(contentOf(body), messages) : [];
  return texts.length > 0 ? texts.join('; ') : undefined;
}

function meaningOf(status: number, { failures }: PlatformOptions): FailureOptions {
  return failures?.[status] ?? failures?.default ?? {};
}

function withoutReason(name: string, status: number): string {
  return status < 300
    ? `${name} reports a failure without a reason`
    : `${name} returned HTTP status ${status} without a reason`;
}

function kindOf(status: number, changes: boolean): SystemErrorKind {
  // Proxies also return 503 for a change that they passed on, some with Retry-After.
  if (status >= 500 || status === 408) return changes ? 'unknown' : 'unavailable';
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

/** The JSON of a body; null for a page from a proxy, or an empty body: the status is all there is. */
export function contentOf(body: Buffer): unknown {
  return orNull(() => parsedBody(body));
}

function orNull(parse: () => unknown): unknown {
  try {
    return parse();
  } catch {
    return null;
  }
}

/** The meaning of an error code. A failure of the server itself has none: its outcome is unknown. */
function codedKind(
  body: unknown,
  status: number,
  codes: NonNullable<FailureOptions['codes']>,
): SystemErrorKind | undefined {
  if (status >= 500) return undefined;
  const found = valuesAt(body, codes.path).map(String);
  const known = found.find((code) => Object.hasOwn(codes.kinds, code));
  return known === undefined ? undefined : codes.kinds[known];
}

/** Texts at places of a body, including those in nested lists and objects. */
function messagesIn(body: unknown, places: readonly MessagePlace[]): string[] {
  const found = places.flatMap((place) =>
    typeof place === 'string'
      ? valuesAt(body, place).flatMap(textsIn)
      : valuesAt(body, place.json).flatMap((value) => embeddedIn(value, place.text)),
  );
  return found.slice(0, MOST_MESSAGES);
}

/** Texts in JSON that is itself a text, as a list of texts with JSON can be. Their markup is removed. */
function embeddedIn(value: unknown, name: string): string[] {
  if (typeof value === 'string') {
    const inner = /^\s*[[{]/.test(value) ? orNull(() => parseReceived(value)) : null;
    if (inner !== null) return embeddedIn(inner, name);
    const text = value.replace(/<[^<>]*>/g, '').trim();
    return text === '' ? [] : [text];
  }
  if (Array.isArray(value)) return value.flatMap((each) => embeddedIn(each, name));
  return isObject(value) && typeof value[name] === 'string' ? embeddedIn(value[name], name) : [];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [value.trim()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
