import { ServiceError } from '@unified/contract';
import type { Context } from './context.ts';

/** Answers an operation that the document plans (`x-planned`) and this release does not have. */
export async function notImplemented(_request: unknown, { operation }: Pick<Context, 'operation'>): Promise<never> {
  const message = `${operation.id} is described but not available in this release. Do not call it yet.`;
  throw new ServiceError('SERVICE_NOT_IMPLEMENTED', message);
}
