import { hash as digest, timingSafeEqual } from 'node:crypto';

/** Whether a verifier matches a code challenge (RFC 7636, method S256). */
export function matchesChallenge(challenge: string, verifier: string): boolean {
  const expected = Buffer.from(challenge);
  const actual = Buffer.from(digest('sha256', verifier, 'base64url'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
