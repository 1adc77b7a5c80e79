import { beginningOf, cutText } from '../cut-text.ts';
import { parseReceived } from '../http/received-json.ts';
import { SystemError } from '../system-error.ts';
import { isWireObject, type Wire } from './wire.ts';

/** Maximum length of the text of an unexpected exception. */
const LONGEST_CAUSE = 2_000;

interface Response {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfter: number | undefined;
}

/**
 * The result in an HTTP response from Tryton. Tryton reports its own refusals with status 200; other statuses come from the web
 * server, a proxy, or a page that is not Tryton at all.
 *
 * @throws {SystemError} for everything that is not a result
 */
export function resultOf(response: Response, call: { readonly id: number; readonly changes: boolean }): Wire {
  if (response.status !== 200) throw failureOf(response, call.changes);
  const parsed = parse(response.body);
  if (!isWireObject(parsed) || parsed.id !== call.id) throw noTryton(response.body);
  if (parsed.error !== undefined && parsed.error !== null) throw refusalOf(parsed.error, call);
  if (parsed.result === undefined) throw noTryton(response.body);
  return parsed.result;
}

function parse(body: Buffer): unknown {
  try {
    return parseReceived(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The page from another program is left out of the message, which clients read: it may be an internal page. */
function noTryton(body: Buffer): SystemError {
  return new SystemError('invalid', 'The response is not from Tryton', { cause: beginningOf(body) });
}

function failureOf({ status, body, retryAfter }: Response, changes: boolean): SystemError {
  const words = `Tryton returned HTTP status ${status}`;
  if (status === 429) return new SystemError('throttled', words, { retryAfter: retryAfter ?? 60 });
  // Tryton itself never returns 503. A proxy may have passed a change on, even with Retry-After.
  if (status === 503 && !changes) return new SystemError('unavailable', words, { retryAfter: retryAfter ?? 10 });
  // A gateway that cannot reach Tryton, or a failure in Tryton outside of its error handling.
  if (status >= 500)
    return new SystemError(changes ? 'unknown' : 'unavailable', words, retryAfter === undefined ? {} : { retryAfter });
  if (status === 403)
    return new SystemError('forbidden', 'Tryton refuses this call, for this user or for everyone (HTTP 403)');
  if (status >= 300 && status < 400)
    return new SystemError('invalid', `${words}, a redirect. Correct the setting "url"`);
  if (status < 300) return noTryton(body);
  // Tryton itself refuses a call with status 200.
  return new SystemError('rejected', words, { isUnread: true, cause: beginningOf(body) });
}

/** A warning that must be confirmed before Tryton continues. */
export class TrytonWarning extends SystemError {
  /** Key of the warning, to be confirmed by a record of `res.user.warning`. */
  readonly key: string;

  constructor(key: string, words: string) {
    super('rejected', words);
    this.key = key;
  }
}

/**
 * The meaning of the `error` of a response. Its first element is the name of an exception with a message for users, or the text
 * of an unexpected exception.
 */
export function refusalOf(error: unknown, { changes }: { readonly changes: boolean }): SystemError {
  const [name, details] = Array.isArray(error) ? error : [undefined, undefined];
  const texts = (Array.isArray(details) ? details : [details]).map((each) => (typeof each === 'string' ? each : ''));
  switch (name) {
    case 'UserError':
      return new SystemError('rejected', sentence(texts[0], texts[1]));
    case 'UserWarning':
      return new TrytonWarning(texts[0] ?? '', sentence(texts[1], texts[2]));
    case 'ConcurrencyException':
      return new SystemError('conflict', texts[0] || 'The record was changed by another user at the same time');
    case 'LoginException':
      return new SystemError('unauthorized', sentence(texts[1], 'Tryton asks for more than a password'));
    case 'RateLimitException':
      return new SystemError('throttled', 'Tryton has reached its rate limit', { retryAfter: 60 });
    default:
      return unexpected(name, changes);
  }
}

/**
 * Tryton rolls back the transaction when its program fails. A locked database is worth a retry. The text is from Python or from
 * the database, and often contains values of a row, so it is only the `cause`.
 */
function unexpected(name: unknown, changes: boolean): SystemError {
  if (typeof name !== 'string' || name === '')
    return new SystemError('invalid', 'Tryton reports an error without a message');
  const cause = cutText(name, LONGEST_CAUSE);
  const passing = /database is locked|could not serialize|deadlock detected|could not obtain lock/i.test(name);
  if (passing) return new SystemError('conflict', 'Another user or process is changing the same data', { cause });
  const words = `Tryton had an internal error while ${changes ? 'writing' : 'reading'}; its log names it`;
  return new SystemError('rejected', words, { cause });
}

function sentence(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ') || 'Tryton refused without a reason';
}
