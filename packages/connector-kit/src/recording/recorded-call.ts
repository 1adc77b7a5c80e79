import type { RecordedRequest } from './exchange.ts';

/** Identifies a request: equal requests have equal texts. */
export function keyOf(request: RecordedRequest): string {
  const { method, path, headers, body, access } = request;
  return JSON.stringify([method, path, headers, withoutCallId(body), access]);
}

/** As `keyOf`, but equal for requests that differ only in dates and times, such as the beginning of an incremental pass. */
export function keyAtAnyTime(request: RecordedRequest): string {
  const [path, body] = [request.path, request.body].map(atAnyTime);
  return keyOf({ ...request, path: path ?? '', body: body ?? '' });
}

/** The id of a JSON-RPC call at the beginning of a request or a response; clients count their calls. */
const CALL_ID = /^(\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*)\d+/;

function withoutCallId(body: string): string {
  return isCall(body) ? body.replace(CALL_ID, '$10') : body;
}

/** The response to a JSON-RPC call, with the id of that call; other responses are returned unchanged. */
export function respondingTo(request: string, response: string): string {
  const id = isCall(request) ? /\d+$/.exec(CALL_ID.exec(request)?.[0] ?? '')?.[0] : undefined;
  return id === undefined ? response : response.replace(CALL_ID, `$1${id}`);
}

/** A request for messages: `GET /rows`, or `POST /erp/ (model.party.party.read)` for JSON-RPC. */
export function nameOf({ method, path, body }: RecordedRequest): string {
  const [, call] = isCall(body) ? (/"method"\s*:\s*"([^"]+)"/.exec(body) ?? []) : [];
  return `${method} ${path}${call === undefined ? '' : ` (${call})`}`;
}

function isCall(body: string): boolean {
  return CALL_ID.test(body) && /"method"\s*:/.test(body);
}

const COLON = '(?::|%3A)';
const TIME = `(?:T|%20|\\+| )\\d\\d${COLON}\\d\\d(?:${COLON}\\d\\d(?:\\.\\d+)?)?(?:Z|(?:[+-]|%2B)\\d\\d${COLON}?\\d\\d)?`;
const DATE_AND_TIME = new RegExp(`\\d{4}-\\d\\d-\\d\\d(?:${TIME})?`, 'gi');
const PART_OF_TIME = /("(?:year|month|day|hour|minute|second|microsecond)"\s*:\s*)\d+/g;

function atAnyTime(text: string): string {
  return text.replaceAll(DATE_AND_TIME, 'any-time').replaceAll(PART_OF_TIME, '$10');
}
