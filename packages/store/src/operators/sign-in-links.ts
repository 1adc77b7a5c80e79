import { asOwner, type Store } from '../access/store.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';

const PREFIX = 'sol_';
const LIFETIME = `interval '7 days'`;

/** A one-time link. Its token is returned once; only its hash is stored. */
export interface SignInLink {
  readonly token: string;
  readonly expiresAt: string;
}

/**
 * Creates the one-time link of an operator; null means the first operator, who does not exist yet. Earlier links of the same
 * operator no longer work.
 */
export async function createSignInLink(store: Store, operatorId: string | null): Promise<SignInLink> {
  const token = randomToken(PREFIX);
  const { rows } = await asOwner<{ expiresAt: string }>(
    store,
    `with earlier as (delete from unified.sign_in_links where "operatorId" is not distinct from $2::uuid)
     insert into unified.sign_in_links (hash, "operatorId", "expiresAt") values ($1, $2, now() + ${LIFETIME})
     returning "expiresAt"`,
    [tokenHash(token), operatorId],
  );
  const [made] = rows;
  if (!made) throw new Error('The link was not stored.');
  return { token, expiresAt: made.expiresAt };
}

/** Whether a link can be used. It stays usable. */
export async function isSignInLink(store: Store, token: string): Promise<boolean> {
  const { rowCount } = await asOwner(
    store,
    'select from unified.sign_in_links where hash = $1 and "expiresAt" > now()',
    [tokenHash(token)],
  );
  return rowCount !== 0;
}

/** Deletes the links of an operator that were not used. */
export async function deleteSignInLinks(store: Store, operatorId: string): Promise<void> {
  await asOwner(store, 'delete from unified.sign_in_links where "operatorId" = $1', [operatorId]);
}

/** Uses up a link: returns whose it is, and null if it is unknown, was used or has expired. Of concurrent calls, one succeeds. */
export async function redeemSignInLink(store: Store, token: string): Promise<{ operatorId: string | null } | null> {
  const { rows } = await asOwner<{ operatorId: string | null }>(
    store,
    'delete from unified.sign_in_links where hash = $1 and "expiresAt" > now() returning "operatorId"',
    [tokenHash(token)],
  );
  return rows[0] ?? null;
}
