import { ServiceError } from '@unified/contract';

const DEEPEST = 32;
const RESERVED = new Set(['__proto__', 'prototype', 'constructor']);

/**
 * Refuses what no field can hold: NUL bytes and lone surrogates (the database cannot store them), names that reach into
 * the prototype, and more than 32 levels. Throws `SERVICE_INVALID_BODY` with the place.
 */
export function checkJson(value: unknown, path = 'body', depth = 0): void {
  if (typeof value === 'string') checkText(value, path);
  if (value === null || typeof value !== 'object') return;
  if (depth === DEEPEST) throw refused(path, `The body is nested deeper than ${DEEPEST} levels. Flatten it.`);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkJson(item, `${path}/${index}`, depth + 1);
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    checkText(name, path);
    if (RESERVED.has(name)) throw refused(`${path}/${name}`, `The name "${name}" is reserved. Remove it.`);
    checkJson(item, `${path}/${name}`, depth + 1);
  }
}

function checkText(text: string, path: string): void {
  if (text.includes('\0')) throw refused(path, 'NUL bytes are not allowed. Remove them.');
  if (!text.isWellFormed()) throw refused(path, 'Half of a surrogate pair stands alone. Send valid Unicode.');
}

function refused(path: string, message: string): ServiceError {
  const shown = path.slice(0, 200).toWellFormed();
  return new ServiceError('SERVICE_INVALID_BODY', `${shown}: ${message}`, { details: [{ path: shown, message }] });
}
