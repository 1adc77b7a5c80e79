import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { storeWithin } from '../access/transaction.ts';
import { openSecret, sealSecret } from '../keys/key-ring.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { matchesChallenge } from './code-challenge.ts';
import { type Granted, insertFamily, revoke } from './token-families.ts';

/** What an end user has authorized. */
export interface Authorized {
  readonly clientId: string;
  /** Connection that the client may use; null if one is created when the code is redeemed. */
  readonly connectionId: string | null;
  /** Where the end user is redirected with the code; the client sends it again when it redeems the code. */
  readonly redirectUri: string;
  /** `code_challenge` of RFC 7636, method S256; absent if the request had none. */
  readonly challenge?: string | undefined;
  /**
   * What is stored when the code is redeemed, such as the settings of a new connection. It is encrypted, and removed when the
   * code is redeemed or expires. Nothing is stored if it is absent.
   */
  readonly pending?: string | undefined;
}

/**
 * Stores what an end user has allowed, within the transaction that redeems the code. Returns the id of the connection, or null
 * if that is no longer possible; the code is then treated as unknown.
 */
export type StorePending = (
  within: Store,
  allowed: { readonly connectionId: string | null; readonly pending: string },
) => Promise<string | null>;

/** A code as the client sends it. */
export interface SentCode {
  readonly clientId: string;
  readonly code: string;
  readonly redirectUri: string;
  /** `code_verifier` of RFC 7636. */
  readonly verifier?: string | undefined;
}

const PREFIX = 'sac_';

/**
 * Issues an authorization code, which is valid for 5 minutes and can be redeemed once. It is returned once; only its hash is
 * stored. Codes of the client that expired more than 31 days ago are removed; until then, using a code again revokes its
 * tokens.
 */
export async function issueAuthorizationCode(store: Store, given: Authorized): Promise<string> {
  const code = randomToken(PREFIX);
  const stored = tokenHash(code);
  const pending = given.pending === undefined ? null : await sealSecret(store, locationOf(stored), given.pending);
  await asOwner(
    store,
    `with outdated as (
       delete from unified.authorization_codes where "clientId" = $2 and "expiresAt" < now() - interval '31 days')
     insert into unified.authorization_codes (hash, "clientId", "connectionId", "redirectUri", challenge, pending, "expiresAt")
     values ($1, $2, $3, $4, $5, $6, now() + interval '5 minutes')`,
    [stored, given.clientId, given.connectionId, given.redirectUri, given.challenge ?? null, pending],
  );
  return code;
}

function locationOf(row: string) {
  return { table: 'authorization_codes', column: 'pending', row } as const;
}

/** Removes the pending data of codes that have expired. */
export async function forgetExpiredCodes(store: Store): Promise<void> {
  await asOwner(
    store,
    'update unified.authorization_codes set pending = null where pending is not null and "expiresAt" <= now()',
  );
}

/**
 * How many connections of an application were created by codes within the last hour, and the seconds until the oldest of them
 * is more than an hour old. In a transaction, others that call this for the same application wait until it ends.
 */
export async function connectionsByCodes(
  scope: ApplicationScope,
): Promise<{ readonly count: number; readonly seconds: number }> {
  const store = storeOf(scope);
  await asOwner(store, 'select from unified.applications where id = $1 for no key update', [scope.applicationId]);
  const { rows } = await asOwner<{ count: number; seconds: number }>(
    store,
    `select count(*)::int as count,
            coalesce(ceil(extract(epoch from min("usedAt") + interval '1 hour' - now())), 0)::int as seconds
       from unified.authorization_codes a join unified.clients c on c.id = a."clientId"
      where c."applicationId" = $1 and a."isConnectionNew" and a."usedAt" > now() - interval '1 hour'`,
    [scope.applicationId],
  );
  return rows[0] ?? { count: 0, seconds: 0 };
}

interface CodeRow extends Omit<Authorized, 'pending'> {
  /** Empty if the request had none. */
  readonly challenge: string;
  /** Encrypted. */
  readonly pending: string | null;
  readonly familyId: string | null;
  readonly isUsed: boolean;
  readonly isExpired: boolean;
}

/** Locks the connection of a code before the code: the same order as when a connection is deleted. */
const LOCK_CONNECTION = `
  select from unified.connections
   where id = (select "connectionId" from unified.authorization_codes where hash = $1 and "clientId" = $2)
     for no key update`;

const REDEEMED = `
  select "clientId", "connectionId", "redirectUri", coalesce(challenge, '') as challenge, pending, "familyId",
         "usedAt" is not null as "isUsed", "expiresAt" <= now() as "isExpired"
    from unified.authorization_codes where hash = $1 and "clientId" = $2 for update`;

/**
 * Exchanges a code for tokens with this scope. What the end user has allowed is stored only now, in the same transaction,
 * because an application does not redeem the code of an authorization that it did not begin. If the code was used before, the
 * tokens that were issued for it are revoked. A code with another redirect URI or without the verifier of its challenge is
 * treated as unknown, as is a code without a challenge that is sent with a verifier.
 */
export function redeemAuthorizationCode(
  store: Store,
  sent: SentCode,
  scope: string,
  storePending: StorePending,
): Promise<Granted> {
  const hash = tokenHash(sent.code);
  return inOwnerTransaction(store, async (client): Promise<Granted> => {
    await client.query(LOCK_CONNECTION, [hash, sent.clientId]);
    const { rows } = await client.query<CodeRow>(REDEEMED, [hash, sent.clientId]);
    const [row] = rows;
    if (!row) return { refused: 'unknown' };
    if (row.isUsed) {
      if (row.familyId !== null) await revoke(client, row.familyId);
      return { refused: 'used' };
    }
    if (row.isExpired) return { refused: 'expired' };
    if (row.redirectUri !== sent.redirectUri || !isVerified(row.challenge, sent.verifier))
      return { refused: 'unknown' };
    const within = storeWithin(store, client);
    const connectionId = await connectionOf(within, hash, row, storePending);
    if (connectionId === null) return { refused: 'unknown' };
    const issued = await insertFamily(client, { clientId: row.clientId, connectionId, scope });
    await client.query(
      `update unified.authorization_codes set "usedAt" = now(), "familyId" = $2, "connectionId" = $3, pending = null,
              "isConnectionNew" = "connectionId" is null where hash = $1`,
      [hash, issued.familyId, connectionId],
    );
    return issued;
  });
}

async function connectionOf(
  within: Store,
  hash: string,
  { connectionId, pending }: CodeRow,
  storePending: StorePending,
): Promise<string | null> {
  if (pending === null) return connectionId;
  const text = await openSecret(within, locationOf(hash), pending);
  return storePending(within, { connectionId, pending: text });
}

/** Whether a verifier matches a challenge. Without a challenge, there must be no verifier. */
function isVerified(challenge: string, verifier: string | undefined): boolean {
  return challenge === '' ? verifier === undefined : matchesChallenge(challenge, verifier ?? '');
}
