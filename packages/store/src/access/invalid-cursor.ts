import { ServiceError } from '@unified/contract';

/** The error for a cursor that no page of this list returned. */
export function invalidCursor(): ServiceError {
  const message = 'The cursor is invalid or belongs to another list; start again without one.';
  return new ServiceError('SERVICE_INVALID_CURSOR', message);
}
