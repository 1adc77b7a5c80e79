import { hasOperators, type Store } from '@unified/store';
import type { OpenIdProvider } from './openid-provider.ts';

/** How operators can sign in. */
export interface SignInMethods {
  readonly needsFirstOperator: boolean;
  readonly passkeys: boolean;
  /** Name of the OpenID Connect provider; null if there is none. */
  readonly provider: string | null;
}

/** How operators can sign in here. */
export async function signInMethods(store: Store, provider?: OpenIdProvider): Promise<SignInMethods> {
  return { needsFirstOperator: !(await hasOperators(store)), passkeys: false, provider: provider?.name ?? null };
}
