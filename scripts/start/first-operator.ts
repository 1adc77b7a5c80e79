import { signInAddress } from '@unified/server';
import { createSignInLink, hasOperators, type Store } from '@unified/store';

/**
 * The one-time link that creates the first operator of the console; undefined if there is one already. Links that earlier starts
 * printed no longer work.
 */
export async function firstOperatorLink(store: Store): Promise<string | undefined> {
  if (await hasOperators(store)) return undefined;
  const { token } = await createSignInLink(store, null);
  return signInAddress(store.publicUrl, token);
}
