import { ServiceError } from '@unified/contract';

/** The error for the id of a connection that the application does not have. */
export function noConnection(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'There is no connection with this id.');
}
