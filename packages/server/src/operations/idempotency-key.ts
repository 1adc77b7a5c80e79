import { ServiceError } from '@unified/contract';

/**
 * The key that a client gave to its intention. The draft standard quotes it, most clients do not: both mean the same. Throws
 * SERVICE_INVALID_IDEMPOTENCY_KEY when there is nothing between the quotes.
 */
export function idempotencyKeyOf(headers: { readonly 'Idempotency-Key'?: string }): string | undefined {
  const sent = headers['Idempotency-Key'];
  const key = sent === undefined ? undefined : (/^"(.*)"$/.exec(sent)?.[1] ?? sent);
  if (key !== '') return key;
  throw new ServiceError('SERVICE_INVALID_IDEMPOTENCY_KEY', 'The Idempotency-Key is empty. Send a UUID, for example.');
}
