import { beginningOf } from '../cut-text.ts';
import type { Row } from '../driver.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import { reader } from '../mapping/path.ts';
import { SystemError } from '../system-error.ts';
import { parsedBody } from './parsed-body.ts';

/**
 * The JSON of a successful response. An HTML page, such as a login page or a proxy's error page, is never taken for an empty
 * list, because all rows would then count as deleted.
 *
 * @throws {SystemError} `invalid`
 */
export function jsonOf({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>, system: string): unknown {
  refusePage({ headers, body }, system);
  try {
    return parsedBody(body);
  } catch {
    const text = body.toString('utf8');
    const words =
      text.trim() === '' ? 'The response is empty' : 'The response is not complete JSON, or is nested too deeply';
    throw new SystemError('invalid', words, { cause: beginningOf(text) });
  }
}

/** @throws {SystemError} `invalid` if the body is an HTML page */
export function refusePage(response: Pick<HttpResponse, 'headers' | 'body'>, system: string): void {
  if (isPage(response)) throw pageInstead(system, response.body.toString('utf8'));
}

const SPACE = 0x20;

/** Number of bytes at the beginning of a body, after white space, that show what it is. */
const SHOWING = 64;

/** Whether a response is an HTML page. Decodes only its beginning, because every page of a list is tested. */
export function isPage({ headers, body }: Pick<HttpResponse, 'headers' | 'body'>): boolean {
  const start = body.findIndex((byte) => byte > SPACE);
  if (start === -1) return false;
  const beginning = body.toString('utf8', start, start + SHOWING);
  const isDeclared = /\bhtml\b/i.test(headers['content-type'] ?? '') && beginning.trim() !== '';
  return isDeclared || /^\s*<(!doctype|html|head|body)\b/i.test(beginning);
}

/** The value at a path of a body, null if there is none. Without a path, the body itself. */
export function valueAt(body: unknown, path: string | undefined): unknown {
  if (path === undefined) return body;
  return typeof body === 'object' && body !== null ? reader(path.split('.'))(body as Row) : null;
}

/** The values at a path of a body. Names after a list are those of each of its elements, unless they are the number of one. */
export function valuesAt(body: unknown, path: string): readonly unknown[] {
  return path
    .split('.')
    .reduce<readonly unknown[]>((values, name) => values.flatMap((each) => below(each, name)), [body]);
}

function below(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value) && !/^\d+$/.test(name))
    return value.flatMap((each) => (isObject(each) ? below(each, name) : []));
  const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
  return isThere ? [(value as Row)[name]] : [];
}

/**
 * The rows at a path of a body. With `leftOutIfEmpty`, there are none if the object that would contain the list is there without
 * it.
 *
 * @throws {SystemError} `invalid` if it has no list of objects there
 */
export function rowsAt(body: unknown, path: string | undefined, leftOutIfEmpty = false): readonly Row[] {
  const rows = leftOutIfEmpty && isLeftOut(body, path) ? [] : valueAt(body, path);
  const place = path === undefined ? 'as a whole' : `at "${path}"`;
  if (!Array.isArray(rows)) throw new SystemError('invalid', `The response has no list ${place}${instead(body)}`);
  if (!rows.every(isObject))
    throw new SystemError('invalid', `The list ${place} of the response contains values other than objects`);
  return rows;
}

/** Maximum number of properties that a message names. */
const MOST_NAMES = 5;

/** What a body contains instead of what was expected: with an error, the platform must declare how to recognize it (`failedBy`). */
export function instead(body: unknown): string {
  const names = isObject(body) ? Object.keys(body) : [];
  const shown = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name));
  return shown.length === 0 ? '' : `; it contains ${shown.join(', ')}${names.length > MOST_NAMES ? ' and others' : ''}`;
}

/** Whether the object at a path lacks only the last property of the path. */
function isLeftOut(body: unknown, path = ''): boolean {
  const names = path.split('.');
  const outer = names.length > 1 ? valueAt(body, names.slice(0, -1).join('.')) : body;
  return isObject(outer) && !Object.hasOwn(outer, names.at(-1) ?? '');
}

/** The row at a path of a body. @throws {SystemError} `invalid` if it has no object there */
export function rowAt(body: unknown, path: string | undefined): Row {
  const row = valueAt(body, path);
  if (isObject(row)) return row;
  throw new SystemError('invalid', `The response has no object ${path === undefined ? 'as a whole' : `at "${path}"`}`);
}

export function isObject(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The text of the page is left out of the message, which clients read: it may be an internal page. */
function pageInstead(system: string, text: string): SystemError {
  const problem = `The address returns an HTML page instead of the data of ${system}.`;
  const remedy = 'Correct the setting "url", and check that no login page or proxy is in front of the system.';
  return new SystemError('invalid', `${problem} ${remedy}`, {
    explanation: { problem, remedy },
    cause: beginningOf(text),
  });
}
