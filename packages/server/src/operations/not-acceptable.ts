import { ServiceError } from '@unified/contract';

/** The error for a request whose client accepts none of these media types. */
export function notAcceptable(accepted: readonly string[]): ServiceError {
  return new ServiceError('SERVICE_NOT_ACCEPTABLE', `Accept ${accepted.join(' or ')}.`, { details: [{ accepted }] });
}
