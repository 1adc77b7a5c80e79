import { hash, timingSafeEqual } from 'node:crypto';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { randomToken, tokenHash } from '../secrets/random-token.ts';
import { type Granted, insertFamily, revoke } from './token-families.ts';

/** What an end user has authorized. */
export interface Authorized {
  readonly clientId: string;
  /** Connection that the client may use. */
  readonly connectionId: string;
  /** Where the end user is redirected with the code; the client repeats it when it redeems the code. */
  readonly redirectUri: string;
  /** `code_challenge` of RFC 7636, method S256; absent: the request had none. */
  readonly challenge?: string | undefined;
}

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
 * stored. Codes of the client that ended more than 31 days ago are removed: until then a repeated use revokes the tokens.
 */
export async function issueAuthorizationCode(store: Store, given: Authorized): Promise<string> {
  const code = randomToken(PREFIX);
  await asOwner(
    store,
    `with outdated as (
       delete from unified.authorization_codes where "clientId" = $2 and "expiresAt" < now() - interval '31 days')
     insert into unified.authorization_codes (hash, "clientId", "connectionId", "redirectUri", challenge, "expiresAt")
     values ($1, $2, $3, $4, $5, now() + interval '5 minutes')`,
    [tokenHash(code), given.clientId, given.connectionId, given.redirectUri, given.challenge ?? null],
  );
  return code;
}

interface CodeRow extends Authorized {
  /** Empty: the request had none. */
  readonly challenge: string;
  readonly familyId: string | null;
  readonly isUsed: boolean;
  readonly isExpired: boolean;
}

const REDEEMED = `
  select "clientId", "connectionId", "redirectUri", coalesce(challenge, '') as challenge, "familyId",
         "usedAt" is not null as "isUsed", "expiresAt" <= now() as "isExpired"
    from unified.authorization_codes where hash = $1 and "clientId" = $2 for update`;

/**
 * Exchanges a code for tokens with this scope. A code that was used before revokes the tokens that were issued for it. A
 * code with another redirect URI or without the verifier of its challenge counts as unknown, as does a verifier that was
 * sent for a code without a challenge.
 */
export function redeemAuthorizationCode(store: Store, sent: SentCode, scope: string): Promise<Granted> {
  const stored = tokenHash(sent.code);
  return inOwnerTransaction(store, async (client): Promise<Granted> => {
    const { rows } = await client.query<CodeRow>(REDEEMED, [stored, sent.clientId]);
    const [row] = rows;
    if (!row) return { refused: 'unknown' };
    if (row.isUsed) {
      if (row.familyId !== null) await revoke(client, row.familyId);
      return { refused: 'used' };
    }
    if (row.isExpired) return { refused: 'expired' };
    if (row.redirectUri !== sent.redirectUri || !isVerified(row.challenge, sent.verifier))
      return { refused: 'unknown' };
    const { clientId, connectionId } = row;
    const issued = await insertFamily(client, { clientId, connectionId, scope });
    await client.query('update unified.authorization_codes set "usedAt" = now(), "familyId" = $2 where hash = $1', [
      stored,
      issued.familyId,
    ]);
    return issued;
  });
}

/** Whether a verifier belongs to a challenge (S256). Without a challenge there must be none. */
function isVerified(challenge: string, verifier: string | undefined): boolean {
  if (challenge === '') return verifier === undefined;
  const expected = Buffer.from(challenge);
  const actual = Buffer.from(hash('sha256', verifier ?? '', 'base64url'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
