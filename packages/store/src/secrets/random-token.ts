import { hash, randomBytes } from 'node:crypto';

/** A token or secret of 256 random bits: the prefix and 43 characters. Prefixes let users and scanners recognize leaked ones. */
export function randomToken(prefix: string): string {
  return prefix + randomBytes(32).toString('base64url');
}

/** The hash that is stored instead of a token. Tokens are random enough that a plain hash cannot be reversed. */
export function tokenHash(token: string): string {
  return hash('sha256', token, 'hex');
}
