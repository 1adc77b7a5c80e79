import { SystemError } from '../system-error.ts';
import { refusalOf } from './refusal.ts';
import { isWireObject, type Wire } from './wire.ts';

interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly retryAfter: number | undefined;
}

/**
 * The result in an HTTP answer of Tryton. It reports its own refusals with status 200; other statuses come from the web
 * server, a proxy, or a page that is not Tryton at all.
 *
 * @throws {SystemError} for everything that is not a result
 */
export function answerOf(answer: Answer, call: { readonly id: number; readonly changes: boolean }): Wire {
  if (answer.status !== 200) throw failureOf(answer, call.changes);
  const parsed = parse(answer.body);
  if (!isWireObject(parsed) || parsed.id !== call.id) throw noTryton(answer.body);
  if (parsed.error !== undefined && parsed.error !== null) throw refusalOf(parsed.error);
  if (parsed.result === undefined) throw noTryton(answer.body);
  return parsed.result;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

function noTryton(body: Buffer): SystemError {
  const beginning = body.subarray(0, 80).toString('utf8').replace(/\s+/g, ' ');
  return new SystemError('invalid', `The response is not from Tryton: ${beginning || 'it is empty'}`);
}

function failureOf({ status, body, retryAfter }: Answer, changes: boolean): SystemError {
  const words = `Tryton returned HTTP status ${status}`;
  if (status === 429) return new SystemError('throttled', words, { retryAfter: retryAfter ?? 60 });
  if (status === 503) return new SystemError('unavailable', words, { retryAfter: retryAfter ?? 10 });
  // A gateway that lost Tryton, or Tryton itself failing outside its own error handling.
  if (status >= 500) return new SystemError(changes ? 'unknown' : 'unavailable', words);
  if (status === 403)
    return new SystemError('forbidden', 'Tryton does not offer this to the user or to anyone (HTTP 403)');
  if (status >= 300 && status < 400)
    return new SystemError('invalid', `${words}, a redirect: correct the setting "url"`);
  if (status < 300) return noTryton(body);
  return new SystemError('rejected', words);
}
