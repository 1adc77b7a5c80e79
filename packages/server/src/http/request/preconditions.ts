import type { IncomingMessage } from 'node:http';
import { ServiceError } from '@unified/contract';
import type { Preconditions } from '../../operations/context.ts';

/** Maximum number of characters in a header with entity tags, as stated in the document. */
const LONGEST = 16_000;

/** The headers that make a request conditional. Throws SERVICE_HEADERS_TOO_LARGE. */
export function preconditionsOf({ headers }: IncomingMessage): Preconditions {
  return {
    ifMatch: bounded('If-Match', headers['if-match']),
    ifNoneMatch: bounded('If-None-Match', headers['if-none-match']),
  };
}

function bounded(name: string, value: string | undefined): string | undefined {
  if (value === undefined || value.length <= LONGEST) return value;
  throw new ServiceError('SERVICE_HEADERS_TOO_LARGE', `${name} has more than 16,000 characters. Send fewer tags.`);
}
