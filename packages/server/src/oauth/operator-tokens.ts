import { type SigningKey, type Store, signingKey, startTokenFamily } from '@unified/store';
import { createAccessTokens, newKeyPair } from './access-tokens.ts';
import type { TokenPair } from './token-grants.ts';

/** Issues tokens for the Management API to a client without its secret, for use by the operator of the installation. */
export async function issueManagementTokens(store: Store, clientId: string): Promise<TokenPair> {
  const issued = await startTokenFamily(store, { clientId, connectionId: null, scope: 'management' });
  const { token, expiresAt } = await createAccessTokens(store, store.publicUrl).sign(issued);
  return { accessToken: token, refreshToken: issued.refreshToken, expiresAt, scope: 'management' };
}

/** Creates the key that signs from now on. Tokens of earlier keys stay valid. */
export async function replaceSigningKey(store: Store): Promise<Pick<SigningKey, 'id' | 'createdAt'>> {
  const { id, createdAt } = await signingKey(store, newKeyPair, { replace: true });
  return { id, createdAt };
}
