import type { Entity, Field } from '@unified/contract';
import { requestError } from '../request-error.ts';

type Input = Readonly<Record<string, unknown>>;

/**
 * Checks the numbers of lines that a body does not identify in another way. Throws `SERVICE_INVALID_BODY` for the first number
 * that an earlier line of the same list already has.
 */
export function checkLineNumbers(entity: Entity, body: Input): void {
  for (const field of entity.fields) {
    const lines = body[field.name];
    if (!hasLines(field) || !Array.isArray(lines)) continue;
    const numbers = (lines as readonly Input[]).map(numberOf);
    const repeated = numbers.findIndex((number, index) => number !== undefined && numbers.indexOf(number) < index);
    if (repeated < 0) continue;
    const message = `An earlier line also has the number ${numbers[repeated]}. Send each number once, or leave it out.`;
    throw requestError('SERVICE_INVALID_BODY', `body/${field.name}/${repeated}/line`, message);
  }
}

/** Elsewhere, such as in the responses of a request for quotation, `line` is the number of a line that the object refers to. */
function hasLines({ name, kind, holdsLines }: Field): boolean {
  return holdsLines === true || (kind === 'objects' && name === 'lines');
}

/**
 * Undefined for a line without a number, and for a line that is identified in another way, because systems may use the same
 * number for two lines.
 */
function numberOf({ id, _idValue, line }: Input): number | undefined {
  return id === undefined && _idValue === undefined && typeof line === 'number' ? line : undefined;
}
