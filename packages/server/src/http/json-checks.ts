import type { ServiceError } from '@unified/contract';
import { errorAt } from '../error-at.ts';

const DEEPEST = 32;
const MOST_VALUES = 50_000;
const RESERVED = new Set(['__proto__', 'prototype', 'constructor']);

/**
 * Refuses what no field can hold: NUL bytes and lone surrogates (the database cannot store them) and names that reach
 * into the prototype; and what only costs time: more than 32 levels or 50,000 values. Throws `SERVICE_INVALID_ENCODING`
 * for the text, `SERVICE_INVALID_BODY` for the rest, with the place.
 */
export function checkJson(body: unknown): void {
  let values = 0;
  visit(body, 'body', 0);

  function visit(value: unknown, path: string, depth: number): void {
    values += 1;
    if (values > MOST_VALUES) throw refused('body', `The body has more than ${MOST_VALUES} values. Send less at once.`);
    if (typeof value === 'string') checkText(value, path);
    if (value === null || typeof value !== 'object') return;
    if (depth === DEEPEST) throw refused(path, `The body is nested deeper than ${DEEPEST} levels. Flatten it.`);
    for (const [name, item] of Object.entries(value)) {
      checkText(name, path);
      if (RESERVED.has(name)) throw refused(`${path}/${name}`, `The name "${name}" is reserved. Remove it.`);
      visit(item, `${path}/${name}`, depth + 1);
    }
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\0')) throw notText(path, 'NUL bytes are not allowed. Remove them.');
  if (!text.isWellFormed()) throw notText(path, 'There is half of a surrogate pair. Send valid Unicode.');
}

function refused(path: string, message: string): ServiceError {
  return errorAt('SERVICE_INVALID_BODY', path, message);
}

function notText(path: string, message: string): ServiceError {
  return errorAt('SERVICE_INVALID_ENCODING', path, message);
}
