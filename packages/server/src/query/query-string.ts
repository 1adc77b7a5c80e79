import { nearest, ServiceError } from '@unified/contract';
import { requestError, suggestionOf } from '../request-error.ts';

/** The parameters of a request's query, decoded, each at most once; filter conditions are separate. */
export interface QueryString {
  /** By name, as sent. No prototype. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Values by the text in the brackets of `filter[…]`, for example `name:contains`. */
  readonly filter: ReadonlyMap<string, string>;
}

const LONGEST = 16 * 1024;
const MOST_PARAMETERS = 100;
const RESERVED = new Set(['__proto__', 'prototype', 'constructor']);
const FILTER_KEY = /^filter\[([^[\]]*)\]$/;
const EMPTY: QueryString = { parameters: Object.create(null), filter: new Map() };

/**
 * Parses a query string, without the `?`.
 *
 * Throws `SERVICE_URI_TOO_LONG` above 16 kB or 100 parameters, `SERVICE_INVALID_ENCODING` for bytes that are not text,
 * `SERVICE_INVALID_PARAMETER` for a repeated or reserved name, and `SERVICE_INVALID_FILTER` for a repeated or malformed
 * filter.
 */
export function readQueryString(text: string): QueryString {
  if (text === '') return EMPTY;
  if (text.length > LONGEST)
    throw new ServiceError('SERVICE_URI_TOO_LONG', 'The query is longer than 16 kB. Split it.');
  const pairs = text.split('&');
  if (pairs.length > MOST_PARAMETERS) {
    throw new ServiceError('SERVICE_URI_TOO_LONG', `The query has more than ${MOST_PARAMETERS} parameters. Split it.`);
  }
  const parameters: Record<string, string> = Object.create(null);
  const filter = new Map<string, string>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decode(split < 0 ? pair : pair.slice(0, split));
    addParameter(parameters, filter, name, split < 0 ? '' : decode(pair.slice(split + 1)));
  }
  return { parameters, filter };
}

function addParameter(parameters: Record<string, string>, filter: Map<string, string>, name: string, value: string) {
  const condition = name.startsWith('filter') ? conditionOf(name) : undefined;
  if (RESERVED.has(condition ?? name)) throw refused(name, 'This name is reserved. Remove it.');
  if (value.includes('\0')) throw notText(`${name.slice(0, 80)} contains a NUL byte. Remove it.`);
  if (condition !== undefined) {
    if (filter.has(condition)) throw refused(name, 'The same field and operator may be used once. Remove one of them.');
    filter.set(condition, value);
    return;
  }
  if (name.includes('[')) throw unknown(name);
  if (name in parameters) throw refused(name, 'The parameter may be sent once. Remove the others.');
  parameters[name] = value;
}

function conditionOf(name: string): string | undefined {
  const key = FILTER_KEY.exec(name)?.[1];
  if (key !== undefined) return key;
  if (name === 'filter' || name.startsWith('filter[')) {
    throw refused(name, 'Write a condition as filter[<field>]=<value> or filter[<field>:<operator>]=<value>.');
  }
  return undefined;
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw notText(`"${text.slice(0, 80)}" is not percent-encoded UTF-8. Encode it.`, cause);
  }
}

function notText(message: string, cause?: unknown): ServiceError {
  return new ServiceError('SERVICE_INVALID_ENCODING', message, { cause });
}

/** Only conditions have brackets, so `filtr[name]` means one. */
function unknown(name: string): ServiceError {
  const [word = '', ...rest] = name.split('[');
  const isCondition = nearest(word, ['filter']) !== undefined;
  const { advice, detail } = suggestionOf(isCondition ? ['filter', ...rest].join('[').slice(0, 80) : undefined);
  const message = `The parameter is unknown.${advice || ' Remove it.'}`;
  return requestError('SERVICE_INVALID_PARAMETER', `query/${name.slice(0, 80)}`, message, detail);
}

function refused(name: string, message: string): ServiceError {
  const code = name.startsWith('filter') ? 'SERVICE_INVALID_FILTER' : 'SERVICE_INVALID_PARAMETER';
  return requestError(code, `query/${name.slice(0, 80)}`, message);
}
