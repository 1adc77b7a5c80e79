import { v7 as newId } from 'uuid';
import { internalsOf, type Store } from '../access/store.ts';
import { keyRing, openWith } from '../keys/key-ring.ts';
import { seal } from '../secrets/secret-key.ts';
import { withConnection } from '../sql/own-connection.ts';

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

/** Maximum wait for another process that renews the same token: longer than its call can take. */
const LONGEST_WAIT_MS = 120_000;

const BEGIN = `begin; set local lock_timeout = ${LONGEST_WAIT_MS}`;

/** Tokens of checks that led to no connection are removed after a month, and those of a connection when other credentials are entered. */
const ADD = `
  with old as (
    delete from unified.kept_tokens where id in (
      select id from unified.kept_tokens
       where "connectionId" is null and "renewedAt" < now() - interval '30 days' and "grant" <> $3 for update skip locked))
  insert into unified.kept_tokens (id, "applicationId", "grant") values ($1, $2, $3) on conflict do nothing`;
const LOCK = `
  select id, token from unified.kept_tokens where "applicationId" = $1 and "grant" = $2 for no key update`;
const KEEP = `
  with old as (delete from unified.kept_tokens where "connectionId" = $3 and id <> $1)
  update unified.kept_tokens
     set token = $2, "connectionId" = coalesce($3, "connectionId"), "renewedAt" = now()
   where id = $1`;

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
  return {
    async renew(grant, renew) {
      const ring = await keyRing(store);
      return withConnection(
        databaseUrl,
        async (client) => {
          await client.query(BEGIN);
          await client.query(ADD, [newId(), applicationId, grant]);
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
        },
        { name: 'unified tokens' },
      );
    },
  };
}
