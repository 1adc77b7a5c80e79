import { ServiceError } from '@unified/contract';
import { errorAnswer } from './error-answer.ts';
import type { Answer } from './respond.ts';

/** The answer where an address exists, but not with this method. */
export function methodNotAllowed(method: string, allowed: readonly string[]): Answer {
  const message = `This address has no ${method}. Use one of ${allowed.join(', ')}.`;
  const error = new ServiceError('SERVICE_METHOD_NOT_ALLOWED', message, { details: [{ allowed }] });
  return errorAnswer(error, { Allow: allowed.join(', ') });
}
