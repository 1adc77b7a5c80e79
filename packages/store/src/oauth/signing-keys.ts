import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { keyRing, openSecret } from '../keys/key-ring.ts';
import { type SecretKey, seal } from '../secrets/secret-key.ts';
import { isUuid } from '../sql/parameter.ts';

/** A public key, as members of a JSON Web Key. */
export type PublicKey = Readonly<Record<string, string>>;

/** A key that access tokens were signed with. */
export interface VerificationKey {
  /** `kid` of its tokens. */
  readonly id: string;
  readonly publicKey: PublicKey;
  readonly createdAt: string;
}

/** The key that access tokens are signed with. */
export interface SigningKey extends VerificationKey {
  /** JSON Web Key with its private members, as JSON; encrypted at rest. Never log it. */
  readonly privateKey: string;
}

/** A new key pair, both as JSON Web Keys. */
export interface KeyPair {
  readonly publicKey: PublicKey;
  readonly privateKey: string;
}

/** Days after which a new key replaces the one that signs. */
const SIGNS = 90;
/** Days for which tokens signed with a replaced key are accepted; tokens expire after 30 days. */
const KEPT = 31;

/** Keys are in use while they sign, and after that for as long as their tokens are valid. */
const IN_USE = `not exists (select from unified.signing_keys newer
  where newer."createdAt" > k."createdAt" and newer."createdAt" < now() - interval '${KEPT} days')`;

/** Public keys of all tokens that may be valid, newest first. */
export async function verificationKeys(store: Store): Promise<VerificationKey[]> {
  const { rows } = await asOwner<VerificationKey>(
    store,
    `select id, "publicKey", "createdAt" from unified.signing_keys k where ${IN_USE} order by "createdAt" desc, id desc`,
  );
  return rows;
}

/** The public key with this id, or null when there is none, or its tokens have expired. */
export async function verificationKey(store: Store, id: string): Promise<VerificationKey | null> {
  if (!isUuid(id)) return null;
  const { rows } = await asOwner<VerificationKey>(
    store,
    `select id, "publicKey", "createdAt" from unified.signing_keys k where id = $1 and ${IN_USE}`,
    [id],
  );
  return rows[0] ?? null;
}

/**
 * The key that signs. Created with `make` when there is none, and replaced after 90 days or with `replace`. Only one key is
 * created even if several processes call this at the same time. Tokens of earlier keys stay valid.
 */
export async function signingKey(
  store: Store,
  make: () => Promise<KeyPair>,
  { replace = false } = {},
): Promise<SigningKey> {
  const { newest: key } = await keyRing(store);
  const { sealed, ...signing } = await inOwnerTransaction(store, async (client) => {
    await client.query(`select pg_advisory_xact_lock(hashtextextended('unified signing keys', 0))`);
    const { rows } = await client.query<StoredKey & { readonly isDue: boolean }>(
      `select id, "publicKey", "privateKey" as sealed, "createdAt", "createdAt" < now() - interval '${SIGNS} days' as "isDue"
         from unified.signing_keys order by "createdAt" desc, id desc limit 1`,
    );
    const [newest] = rows;
    return newest && !newest.isDue && !replace ? newest : add(client, key, await make());
  });
  const { id, publicKey, createdAt } = signing;
  return { id, publicKey, createdAt, privateKey: await openSecret(store, locationOf(id), sealed) };
}

/** A key with its private part encrypted. */
interface StoredKey extends VerificationKey {
  readonly sealed: string;
}

async function add(client: pg.ClientBase, key: SecretKey, { publicKey, privateKey }: KeyPair): Promise<StoredKey> {
  const id = newId();
  const sealed = seal(key, locationOf(id), privateKey);
  const { rows } = await client.query<{ createdAt: string }>(
    `insert into unified.signing_keys (id, "publicKey", "privateKey", "createdAt") values ($1, $2, $3, clock_timestamp())
     returning "createdAt"`,
    [id, JSON.stringify(publicKey), sealed],
  );
  await client.query(`delete from unified.signing_keys k where not (${IN_USE})`);
  return { id, publicKey, sealed, createdAt: rows[0]?.createdAt ?? '' };
}

function locationOf(row: string) {
  return { table: 'signing_keys', column: 'privateKey', row } as const;
}
