import { timingSafeEqual } from 'node:crypto';
import type pg from 'pg';
import { v7 as newId } from 'uuid';
import { type ApplicationScope, storeOf } from '../access/application-scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { type KeyRing, keyRing, lookupsOf, openSecret } from '../keys/key-ring.ts';
import { CLIENT_SECRETS } from '../keys/sealed-columns.ts';
import { randomToken } from '../secrets/random-token.ts';
import { keyedHash, type SecretKey, seal } from '../secrets/secret-key.ts';
import { isUuid } from '../sql/parameter.ts';
import { fixedStatement } from '../sql/statement.ts';
import { rowsOfClient } from './rows-of-client.ts';

/** A secret of a client, without its value. */
export interface ClientSecret {
  readonly id: string;
  readonly name: string | null;
  /** Its last four characters. */
  readonly hint: string;
  readonly createdAt: string;
  /** When a token was last issued with it, to the minute. */
  readonly lastUsedAt: string | null;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export interface NewClientSecret {
  readonly clientId: string;
  readonly name?: string | undefined;
  /** RFC 3339; if absent, it does not expire. */
  readonly expiresAt?: string | undefined;
}

/** A client that has proved its identity with a secret. */
export interface AuthenticatedClient {
  readonly clientId: string;
  readonly applicationId: string;
  readonly secretId: string;
}

const PREFIX = 'scs_';
const NO_CLIENT = '00000000-0000-0000-0000-000000000000';
const COLUMNS = ['id', 'name', 'hint', 'createdAt', 'lastUsedAt', 'expiresAt', 'revokedAt']
  .map((name) => `r."${name}"`)
  .join(', ');
/** Characters of a secret that lists show. */
const HINT = 4;

/** Secrets of a client, oldest first, including revoked ones. Null when the application has no such client. */
export async function listClientSecrets(scope: ApplicationScope, clientId: string): Promise<ClientSecret[] | null> {
  return rowsOfClient(scope, clientId, { table: 'client_secrets', columns: COLUMNS });
}

/** Generates a secret and returns it with its value. Null when the application has no such client. */
export async function createClientSecret(
  scope: ApplicationScope,
  given: NewClientSecret,
): Promise<(ClientSecret & { readonly secret: string }) | null> {
  const store = storeOf(scope);
  const { rowCount } = await asOwner(store, 'select from unified.clients where "applicationId" = $1 and id = $2', [
    scope.applicationId,
    given.clientId,
  ]);
  if (rowCount === 0) return null;
  const secret = randomToken(PREFIX);
  const { text, values } = insertion((await keyRing(store)).newest, given, secret);
  const { rows } = await asOwner<ClientSecret>(store, text, values);
  return rows[0] ? { ...rows[0], secret } : null;
}

/** Adds the first secret of a client within a transaction. */
export async function addFirstSecret(client: pg.ClientBase, key: SecretKey, clientId: string): Promise<void> {
  const { text, values } = insertion(key, { clientId }, randomToken(PREFIX));
  await client.query(text, values);
}

function insertion(key: SecretKey, { clientId, name, expiresAt }: NewClientSecret, secret: string) {
  const id = newId();
  return {
    text: `insert into unified.client_secrets as r (id, "clientId", name, secret, lookup, hint, "expiresAt")
           values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`,
    values: [
      id,
      clientId,
      name ?? null,
      seal(key, locationOf(id), secret),
      keyedHash(key, CLIENT_SECRETS, secret),
      secret.slice(-HINT),
      expiresAt ?? null,
    ],
  };
}

/** A secret with its decrypted value. Null when the client has no such secret, or it was revoked. Never log it. */
export async function readClientSecret(
  scope: ApplicationScope,
  clientId: string,
  secretId: string,
): Promise<(ClientSecret & { readonly secret: string }) | null> {
  const store = storeOf(scope);
  const { rows } = await asOwner<ClientSecret & { readonly secret: string }>(
    store,
    `select ${COLUMNS}, r.secret from unified.client_secrets r join unified.clients c on c.id = r."clientId"
      where c."applicationId" = $1 and c.id = $2 and r.id = $3 and r."revokedAt" is null`,
    [scope.applicationId, clientId, secretId],
  );
  const [row] = rows;
  return row ? { ...row, secret: await openSecret(store, locationOf(row.id), row.secret) } : null;
}

/**
 * Revokes a secret, and with it the tokens for the Management API that were issued with it: whoever knows the secret may have
 * them. Those of connections stay valid. Null when the client does not have the secret, or it was revoked before.
 */
export async function revokeClientSecret(
  scope: ApplicationScope,
  clientId: string,
  secretId: string,
): Promise<ClientSecret | null> {
  if (!isUuid(secretId)) return null;
  const { rows } = await asOwner<ClientSecret>(
    storeOf(scope),
    `with r as (
       update unified.client_secrets s set "revokedAt" = now() from unified.clients c
        where c.id = s."clientId" and c."applicationId" = $1 and c.id = $2 and s.id = $3 and s."revokedAt" is null
        returning s.*
     ), ended as (
       update unified.token_families f set "revokedAt" = now() from r
        where f."clientId" = r."clientId" and f."secretId" = r.id and f."connectionId" is null and f."revokedAt" is null
     )
     select ${COLUMNS} from r`,
    [scope.applicationId, clientId, secretId],
  );
  return rows[0] ?? null;
}

/** The oldest valid secret of the first client of an application, decrypted; null when there is none. Never log it. */
export async function applicationSecret(store: Store, applicationId: string): Promise<string | null> {
  const { rows } = await asOwner<{ id: string; secret: string }>(
    store,
    `select id, secret from unified.client_secrets
      where "clientId" = $1 and "revokedAt" is null and ("expiresAt" is null or "expiresAt" > now()) order by id limit 1`,
    [applicationId],
  );
  return rows[0] ? openSecret(store, locationOf(rows[0].id), rows[0].secret) : null;
}

/**
 * The client with this id and secret, or null. The secret is found by its keyed hash and compared in constant time, and an
 * unknown client takes as long as a wrong secret. Records the use of the secret, to the minute.
 */
export async function clientBySecret(
  store: Store,
  clientId: string,
  secret: string,
): Promise<AuthenticatedClient | null> {
  const ring = await keyRing(store);
  const found = await findBySecret(store, ring, { clientId, secret });
  if (found) return found;
  // A rotation of the data key may have replaced the hash between the two queries.
  const later = await keyRing(store);
  return later.newest.id === ring.newest.id ? null : findBySecret(store, later, { clientId, secret });
}

interface FoundSecret extends AuthenticatedClient {
  readonly lookup: string;
  readonly isRecent: boolean;
}

const FIND_BY_SECRET = fixedStatement(`
  select c.id as "clientId", c."applicationId", s.id as "secretId", s.lookup,
         coalesce(s."lastUsedAt" > now() - interval '1 minute', false) as "isRecent"
    from unified.client_secrets s join unified.clients c on c.id = s."clientId"
   where c.id = $1 and s.lookup = any($2::text[]) and s."revokedAt" is null
     and (s."expiresAt" is null or s."expiresAt" > now())`);

async function findBySecret(
  store: Store,
  ring: KeyRing,
  { clientId, secret }: { readonly clientId: string; readonly secret: string },
): Promise<AuthenticatedClient | null> {
  const lookups = lookupsOf(ring, CLIENT_SECRETS, secret);
  const { rows } = await asOwner<FoundSecret>(store, {
    ...FIND_BY_SECRET,
    values: [isUuid(clientId) ? clientId : NO_CLIENT, lookups],
  });
  const [found] = rows;
  if (!found || !lookups.some((each) => timingSafeEqual(Buffer.from(each), Buffer.from(found.lookup)))) return null;
  if (!found.isRecent) await recordUse(store, found.secretId);
  return { clientId: found.clientId, applicationId: found.applicationId, secretId: found.secretId };
}

/** At most once a minute: if every token wrote to the row of its secret, each would wait for the previous one's commit. */
async function recordUse(store: Store, secretId: string): Promise<void> {
  await asOwner(
    store,
    `update unified.client_secrets set "lastUsedAt" = date_trunc('minute', now())
      where id = $1 and ("lastUsedAt" is null or "lastUsedAt" <= now() - interval '1 minute')`,
    [secretId],
  );
}

function locationOf(row: string) {
  return { table: 'client_secrets', column: 'secret', row } as const;
}
