import { nearest, ServiceError } from '@unified/contract';
import { requestError, suggestionOf } from '../request-error.ts';
import { JSON_FILTER, readJsonFilter } from './json-filter.ts';

/** The parameters of a request's query, decoded, each at most once; filter conditions are separate. */
export interface QueryString {
  /** By name, as sent. No prototype. */
  readonly parameters: Readonly<Record<string, string>>;
  /**
   * Values by the text between the brackets of `filter[…]`, for example `name:contains`; conditions in `filter={…}` are stored
   * in the same form.
   */
  readonly filter: ReadonlyMap<string, string>;
}

const LONGEST = 16 * 1024;
const MOST_PARAMETERS = 100;
const RESERVED = new Set(['__proto__', 'prototype', 'constructor']);
/** Only the name of a custom field, which the connected system determines, can contain brackets. */
const FILTER_KEY = /^filter\[([^[\]]*|customFields\..*)\]$/s;
const EMPTY: QueryString = { parameters: Object.create(null), filter: new Map() };

/**
 * Parses a query string, without the `?`.
 *
 * Throws `SERVICE_URI_TOO_LONG` above 16 kB, 100 parameters or 100 conditions, `SERVICE_INVALID_ENCODING` for bytes that are
 * not text, `SERVICE_INVALID_PARAMETER` for a repeated or reserved name, and `SERVICE_INVALID_FILTER` for a repeated or
 * malformed filter.
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
    const value = split < 0 ? '' : decode(pair.slice(split + 1));
    if (name !== JSON_FILTER) addParameter(parameters, filter, name, value);
    else for (const [key, text] of readJsonFilter(value)) addCondition(filter, key, text);
  }
  checkSize(filter);
  return { parameters, filter };
}

/**
 * The query with parameters that are conditions moved to its filter: `isActive=true` becomes `filter[isActive]=true`. Throws
 * the errors of `readQueryString` for a condition that is sent in both forms, and for too many conditions.
 */
export function withPlainConditions(sent: QueryString, isCondition: (name: string) => boolean): QueryString {
  const names = Object.keys(sent.parameters).filter(isCondition);
  if (names.length === 0) return sent;
  const parameters = Object.assign(Object.create(null), sent.parameters);
  const filter = new Map(sent.filter);
  for (const name of names) {
    addCondition(filter, name, parameters[name]);
    delete parameters[name];
  }
  checkSize(filter);
  return { parameters, filter };
}

function checkSize(filter: ReadonlyMap<string, string>) {
  if (filter.size <= MOST_PARAMETERS) return;
  throw new ServiceError('SERVICE_URI_TOO_LONG', `The filter has more than ${MOST_PARAMETERS} conditions. Split it.`);
}

function addParameter(parameters: Record<string, string>, filter: Map<string, string>, name: string, value: string) {
  const condition = name.startsWith('filter') ? conditionOf(name) : undefined;
  if (condition !== undefined) return addCondition(filter, condition, value);
  check(name, name, value);
  if (name.includes('[')) throw unknown(name);
  if (name in parameters) throw refused(name, 'The parameter may be sent once. Remove the others.');
  parameters[name] = value;
}

/** Adds a condition; `key` is the text between the brackets of `filter[…]`. */
function addCondition(filter: Map<string, string>, key: string, value: string) {
  const name = `filter[${key}]`;
  check(key, name, value);
  if (filter.has(key)) throw refused(name, 'The same field and operator may be used once. Remove one of them.');
  filter.set(key, value);
}

function check(word: string, name: string, value: string) {
  if (RESERVED.has(word)) throw refused(name, 'This name is reserved. Remove it.');
  if (value.includes('\0')) throw notText(`${name.slice(0, 80)} contains a NUL byte. Remove it.`);
}

function conditionOf(name: string): string | undefined {
  const key = FILTER_KEY.exec(name)?.[1];
  if (key !== undefined) return key;
  if (name.startsWith('filter[')) {
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

/** Only conditions have brackets, so `filtr[name]` must have been meant as one. */
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
