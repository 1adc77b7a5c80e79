import { beginningOf } from '../cut-text.ts';
import { retryAfterSeconds } from '../http/http-failure.ts';
import { parseReceived } from '../http/received-json.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { SystemError, type SystemErrorKind } from '../system-error.ts';
import { isObject } from './entity-row.ts';

/** The description of an error by a service. */
interface ServiceMessage {
  /** The message and its details; empty if there is none. */
  readonly words: string;
  /** Properties that it names. */
  readonly columns: readonly string[];
  /** The code of the error; empty if there is none. */
  readonly code: string;
}

/** The parts of a request that determine what a failure means. */
export interface Sent {
  readonly method: string;
  /** Whether the request could have changed something. */
  readonly changes: boolean;
  /** The settings that contain the credentials, in words. */
  readonly credentials: string;
  /** Meanings of error codes that differ from those of the status. */
  readonly errors?: Readonly<Record<string, SystemErrorKind>>;
}

/** The `SystemError` for a response without a success status. */
export function refusalOf(response: HttpResponse, { method, changes, credentials, errors = {} }: Sent): SystemError {
  const { status, body } = response;
  const { words, columns, code } = messageOf(response);
  const retryAfter = retryAfterSeconds(response.headers['retry-after']);
  const unread = words === '' && body.length > 0 ? { isUnread: true, cause: beginningOf(body) } : {};
  const general = `The service returned HTTP status ${status}`;
  const told = words || general;
  const meant = status >= 400 && status < 500 && Object.hasOwn(errors, code) ? errors[code] : undefined;
  if (meant !== undefined) return new SystemError(meant, told, { columns });
  switch (status) {
    case 401:
      return new SystemError('unauthorized', `The service refuses the credentials (HTTP 401). Check ${credentials}`);
    case 402:
      return new SystemError('payment', told);
    case 403:
      // Gateways also limit calls with it.
      if (retryAfter !== undefined) return new SystemError('throttled', told, { retryAfter });
      return new SystemError('forbidden', words || 'The service refuses this call for this user (HTTP 403)', unread);
    case 404:
    case 410:
      if (!isFromService(response)) return notFromService(status);
      return new SystemError(changes ? 'gone' : 'rejected', told);
    case 408:
      return new SystemError(changes ? 'unknown' : 'unavailable', general);
    case 409:
      // Its meaning is up to the service: a repetition would be refused again. If another user changes an entity, it is 412.
      return new SystemError(method === 'POST' ? 'duplicate' : 'rejected', told, { columns });
    case 412:
      return new SystemError('conflict', words || 'The record was changed in the system at the same time');
    case 423:
    case 428:
      return new SystemError('conflict', told);
    case 425:
      return new SystemError('unavailable', general);
    case 429:
      return new SystemError('throttled', told, { retryAfter: retryAfter ?? 60 });
    case 503:
      // Proxies also return it for a change that they passed on, some with Retry-After.
      if (changes) return new SystemError('unknown', general, retryAfter === undefined ? {} : { retryAfter });
      return new SystemError('unavailable', told, { retryAfter: retryAfter ?? 10 });
    default:
      if (status >= 500) return new SystemError(changes ? 'unknown' : 'unavailable', told);
      if (status >= 300 && status < 400) return redirected(status, credentials);
      return new SystemError('rejected', told, { columns, ...unread });
  }
}

/** A permanent redirect leads to a new address of the service; others lead to sign-in pages. */
function redirected(status: number, credentials: string): SystemError {
  if (status === 301 || status === 308) {
    return new SystemError(
      'invalid',
      `The service returned HTTP status ${status}, a redirect. Correct the setting "url"`,
    );
  }
  return new SystemError(
    'unauthorized',
    `The service redirects to a page (HTTP ${status}) instead of accepting the credentials. Check ${credentials}`,
  );
}

/** The message of either version, in JSON or XML. A message from another program is left out, because clients read it. */
function messageOf({ body, headers }: HttpResponse): ServiceMessage {
  const text = body.toString('utf8');
  if (String(headers['content-type']).includes('xml')) return { words: xmlMessage(text), columns: [], code: '' };
  const error = errorIn(text);
  if (!error) return { words: '', columns: [], code: '' };
  const all = [error, ...detailsOf(error)];
  const sentences = all.map(({ message }) => (isObject(message) ? message.value : message)).filter(isText);
  const targets = all.flatMap(({ target, propertyref }) => [target, propertyref]).filter(isText);
  return {
    words: [...new Set(sentences.map((each) => each.trim()))].join('; '),
    columns: [...new Set(targets.map((each) => each.split('/').at(-1) ?? each))],
    code: isText(error.code) ? error.code : '',
  };
}

/** The error in a JSON body of either version. */
function errorIn(text: string): Record<string, unknown> | undefined {
  let parsed: unknown;
  try {
    parsed = parseReceived(text);
  } catch {
    return undefined;
  }
  const error = isObject(parsed) ? (parsed.error ?? parsed['odata.error']) : undefined;
  return isObject(error) ? error : undefined;
}

/** Whether the body is an OData error. A proxy that does not find the service returns 404 with a page of its own. */
export function isFromService({ body }: HttpResponse): boolean {
  const text = body.toString('utf8');
  return errorIn(text) !== undefined || /^\s*(?:<\?xml[^>]*>\s*)?<(?:\w+:)?error\b/.test(text);
}

/** The error for a status that would mean that a record does not exist, if the service had returned it. */
export function notFromService(status: number): SystemError {
  const words = `HTTP status ${status} came without an OData error, so it does not mean that the record does not exist`;
  return new SystemError('invalid', `${words}. Check the setting "url" and the proxies in front of the service`);
}

/** `details` in V4, `innererror.errordetails` in V2, without informational ones. */
function detailsOf(error: Record<string, unknown>): Record<string, unknown>[] {
  const inner = isObject(error.innererror) ? error.innererror.errordetails : undefined;
  return [error.details, inner]
    .flatMap((list): unknown[] => (Array.isArray(list) ? list : []))
    .filter(isObject)
    .filter(({ severity }) => severity === undefined || severity === 'error');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };

/** Only this many characters are searched, because a text with many unfinished tags takes quadratic time. */
const SEARCHED = 10_000;

function xmlMessage(text: string): string {
  const [, message = ''] = /<(?:\w+:)?message\b[^>]*>([^<]*)</.exec(text.slice(0, SEARCHED)) ?? [];
  return message.replace(/&(lt|gt|quot|apos|amp);/g, (_, name: string) => ENTITIES[name] ?? '').trim();
}
