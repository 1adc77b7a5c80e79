import { isIP } from 'node:net';
import { hasOperators, type Store } from '@unified/store';

/** How operators can sign in. */
export interface SignInMethods {
  readonly needsFirstOperator: boolean;
  readonly passkeys: boolean;
  /** Name of the OpenID Connect provider; null if there is none. */
  readonly provider: string | null;
}

/** How operators can sign in to a service at this address. */
export async function signInMethods(store: Store, publicUrl: string): Promise<SignInMethods> {
  return { needsFirstOperator: !(await hasOperators(store)), passkeys: hasPasskeys(publicUrl), provider: null };
}

/** Browsers keep passkeys by the name of a host, never by an IP address, and only where pages are protected or local. */
export function hasPasskeys(publicUrl: string): boolean {
  const { hostname, protocol } = new URL(publicUrl);
  const isAddress = isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0;
  return !isAddress && (protocol === 'https:' || hostname === 'localhost');
}
