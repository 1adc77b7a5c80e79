import { ServiceError } from '@unified/contract';

/** The refusal of a cursor that no page of this list has given. */
export function invalidCursor(): ServiceError {
  const message = 'The cursor is damaged or belongs to another list; start without one.';
  return new ServiceError('SERVICE_INVALID_CURSOR', message);
}
