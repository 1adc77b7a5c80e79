/** Header with the idempotency key of a write. */
export const KEY = 'Idempotency-Key';

/** A new idempotency key. `crypto.randomUUID` is missing on pages served without TLS. */
export function idempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
