import { type Operation, ServiceError } from '@unified/contract';

/** The error of an operation that the document plans (`x-planned`) and this release does not have. */
export function notImplemented({ id }: Operation): ServiceError {
  const message = `${id} is described but not available in this release. Do not call it yet.`;
  return new ServiceError('SERVICE_NOT_IMPLEMENTED', message);
}
