import { cutText } from '../cut-text.ts';
import { retryAfterSeconds } from '../http/http-failure.ts';
import { parseReceived } from '../http/received-json.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { SystemError } from '../system-error.ts';
import type { PassthroughRequest, PassthroughResponse } from './passthrough.ts';
import { passthroughFault } from './request-fault.ts';

/** An HTTP request without the headers of its credentials. */
export interface HttpCall {
  readonly method: PassthroughRequest['method'];
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Headers that authenticate, that belong to one connection, or that make a server treat the request as another one. */
const NOT_SENT =
  /^(?:authorization|cookie2?|host|connection|keep-alive|te|trailers?|transfer-encoding|upgrade|expect|content-length|accept-encoding|http2-settings|forwarded|via|origin|referer|x-real-ip|x-original-.*|x-rewrite-.*|x-csrf-token|x-http-method.*|x-method-override|x-forwarded-.*|proxy-.*|sec-.*)$/;
const NOT_RETURNED =
  /^(?:set-cookie2?|authorization|authentication-info|www-authenticate|connection|keep-alive|trailer|transfer-encoding|upgrade|content-length|x-csrf-token|proxy-.*)$/;
const LONGEST_HEADER = 2_000;

/**
 * The HTTP request below `base`, which is the address of a system without a trailing slash.
 *
 * @param own names of headers that the connection sends, in lower case
 * @throws {SystemError} `rejected` if it would lead outside of that address
 */
export function httpCall(base: string, request: PassthroughRequest, own: readonly string[] = []): HttpCall {
  const { method, path, query = {}, body } = request;
  const fault = passthroughFault(request);
  if (fault) throw new SystemError('rejected', `${fault.part}: ${fault.message}`);
  const root = new URL(base);
  const url = new URL(`${base}${path}`);
  const prefix = root.pathname.endsWith('/') ? root.pathname : `${root.pathname}/`;
  if (url.origin !== root.origin || url.username !== '' || url.password !== '' || !url.pathname.startsWith(prefix))
    throw new SystemError('rejected', 'The path leads away from the address of the system');
  for (const [name, value] of Object.entries(query)) url.searchParams.append(name, value);
  const headers = headersOf(request, own);
  return { method, url, headers, ...(body !== undefined && { body: textOf(body, headers['content-type']) }) };
}

function headersOf({ headers = {}, body }: PassthroughRequest, own: readonly string[]): Record<string, string> {
  const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const allowed = sent.filter(([name]) => !NOT_SENT.test(name) && !own.includes(name));
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  return { accept: 'application/json', ...type, ...Object.fromEntries(allowed) };
}

function textOf(body: unknown, type = ''): string {
  return typeof body === 'string' && !/\bjson\b/i.test(type) ? body : JSON.stringify(body);
}

/** A response as clients of this service receive it. */
export function passedResponse({ status, headers, body }: HttpResponse): PassthroughResponse {
  const shown = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || NOT_RETURNED.test(name) ? [] : [[name, cutText([value].flat().join(', '), LONGEST_HEADER)]],
  );
  const retryAfter = status === 429 || status === 503 ? retryAfterSeconds(headers['retry-after']) : undefined;
  return { status, headers: Object.fromEntries(shown), body: contentOf(body, headers['content-type']), retryAfter };
}

function contentOf(body: Buffer, type = ''): unknown {
  if (body.length === 0) return null;
  const text = decoded(body);
  if (text === null) return { base64: body.toString('base64') };
  if (!/\bjson\b/i.test(type)) return text;
  try {
    return parseReceived(text);
  } catch {
    return text;
  }
}

/** Null if the bytes are not UTF-8. */
function decoded(body: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}
