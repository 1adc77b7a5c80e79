import { type ErrorCode, ServiceError } from '@unified/contract';

const LONGEST_SHOWN = 200;

/**
 * The error of one place of a request, such as `body/items/0/name`: the message and `details` name the place, with
 * whatever else there is to tell of it.
 */
export function errorAt(code: ErrorCode, place: string, message: string, more: object = {}): ServiceError {
  const path = place.slice(0, LONGEST_SHOWN).toWellFormed();
  return new ServiceError(code, `${path}: ${message}`, { details: [{ path, message, ...more }] });
}
