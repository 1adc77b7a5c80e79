/** The key that a client gave to its intention. The draft standard quotes it, most clients do not: both mean the same. */
export function idempotencyKeyOf(headers: { readonly 'Idempotency-Key'?: string }): string | undefined {
  const sent = headers['Idempotency-Key'];
  return sent === undefined ? undefined : (/^"(.+)"$/.exec(sent)?.[1] ?? sent);
}
