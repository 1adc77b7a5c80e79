import { ServiceError } from '@unified/contract';
import type { Client } from 'pg';
import { v7 as newId } from 'uuid';
import { internalsOf, type Store } from '../access/store.ts';
import { keyRing, openWith } from '../keys/key-ring.ts';
import { seal } from '../secrets/secret-key.ts';
import { withConnection } from '../sql/own-connection.ts';
import { slots } from '../sql/slots.ts';

/** Whose tokens are kept. */
export interface TokenOwner {
  readonly applicationId: string;
  /** The connection that uses them; absent while a system is checked for a connection that does not exist yet. */
  readonly connectionId?: string;
}

/** Tokens of connected systems, encrypted, for all processes on a database. */
export interface KeptTokens {
  /**
   * Calls `renew` with the text that is kept for a grant of the application, null if there is none, and has stored the text that it
   * returns before the promise resolves. One process at a time does this for a grant. If `renew` throws, nothing changes.
   */
  renew(grant: string, renew: (kept: string | null) => Promise<string>): Promise<string>;
}

/** Maximum wait for another process that renews the same token: longer than the call that renews it can take. */
const LONGEST_WAIT_MS = 60_000;

/**
 * For the connections of an application in one process, and as many for checks of systems, which people can start as they like:
 * each renewal holds a database connection as long as the authorization server takes to respond, and servers that do not respond
 * must not hold all of them.
 */
const AT_ONCE = 4;

const BEGIN = `begin; set local lock_timeout = ${LONGEST_WAIT_MS}`;

/**
 * Removes what has not been renewed for a month: tokens of checks that led to no connection, and of credentials that a connection
 * had before others were entered.
 */
const ADD = `
  with old as (
    delete from unified.kept_tokens where id in (
      select id from unified.kept_tokens
       where ("connectionId" is null or "connectionId" = $4) and "renewedAt" < now() - interval '30 days'
         and "grant" <> $3 for update skip locked))
  insert into unified.kept_tokens (id, "applicationId", "grant") values ($1, $2, $3) on conflict do nothing`;
const LOCK = `
  select id, token from unified.kept_tokens where "applicationId" = $1 and "grant" = $2 for no key update`;
const KEEP = `
  update unified.kept_tokens
     set token = $2, "connectionId" = coalesce($3, "connectionId"), "renewedAt" = now()
   where id = $1`;

const renewals = slots({ size: AT_ONCE, longestMs: LONGEST_WAIT_MS, busy });

function busy(): ServiceError {
  const message = 'Other tokens of the application are being renewed, which takes too long. Retry.';
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 10 });
}

interface Row {
  readonly id: string;
  readonly token: string;
}

/**
 * The tokens of an application, and of its connection. Each renewal has a database connection of its own, because it lasts as long
 * as the call to the authorization server, and its lock must end with the process.
 */
export function keptTokens(store: Store, { applicationId, connectionId }: TokenOwner): KeptTokens {
  const { databaseUrl } = internalsOf(store);
  async function renewOn(client: Client, grant: string, renew: (kept: string | null) => Promise<string>) {
    const ring = await keyRing(store);
    await client.query(BEGIN);
    await client.query(ADD, [newId(), applicationId, grant, connectionId ?? null]);
    const { rows } = await client.query<Row>(LOCK, [applicationId, grant]);
    const [row] = rows;
    if (!row) throw new Error('The tokens of a connection were removed while they were renewed.');
    const location = { table: 'kept_tokens', column: 'token', row: row.id } as const;
    const kept = row.token === '' ? null : openWith(ring, location, row.token);
    const text = await renew(kept);
    const sealed = text === kept ? row.token : seal(ring.newest, location, text);
    await client.query(KEEP, [row.id, sealed, connectionId ?? null]);
    await client.query('commit');
    return text;
  }
  return {
    renew: (grant, renew) =>
      renewals(connectionId === undefined ? `checks of ${applicationId}` : applicationId, () =>
        withConnection(databaseUrl, (client) => renewOn(client, grant, renew), { name: 'unified tokens' }),
      ),
  };
}
