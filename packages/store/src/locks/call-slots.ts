import pg from 'pg';
import { asOwner, internalsOf, type Store } from '../access/store.ts';
import { turns } from '../sql/turns.ts';

/** The right to make one call of an account. */
export interface CallSlot {
  release(): Promise<void>;
}

/** A pause that a connected system requested. */
export interface StoredPause {
  readonly kind: 'throttled' | 'unavailable';
  /** Remaining seconds, at least 1. */
  readonly seconds: number;
}

/** A pause that has not ended. */
export interface CurrentPause extends StoredPause {
  /** RFC 3339. */
  readonly until: string;
}

/**
 * Divides the calls of accounts among all processes on a database. Slots are advisory locks of one database connection: when a
 * process ends, PostgreSQL releases them.
 */
export interface CallSlots {
  /** Takes one of these slots of an account, by number; null if all are taken. */
  take(account: string, slots: readonly number[]): Promise<CallSlot | null>;
  /** Number of taken slots of an account, of the first `most`. */
  taken(account: string, most: number): Promise<number>;
  /** Stores a pause for all processes. One that ends later is kept. */
  pause(account: string, pause: StoredPause): Promise<void>;
  /** The current pauses of those of the accounts that have one. */
  pausesOf(accounts: readonly string[]): Promise<ReadonlyMap<string, CurrentPause>>;
  /** Ends the pause of an account; false if there is none. */
  resume(account: string): Promise<boolean>;
  /** Releases all slots of this process, which can take no more. */
  close(): Promise<void>;
}

const key = (slot: string) => `hashtextextended('call ' || $1 || ' ' || ${slot}, 0)`;
const TAKE = `select slot from unnest($2::int[]) slot where pg_try_advisory_lock(${key('slot')}) limit 1`;
const RELEASE = `select pg_advisory_unlock(${key('$2::int')})`;
/** The catalog has each half of a key in a column of its own. */
const TAKEN = `
  select count(*)::int as taken from generate_series(0, $2::int - 1) slot
   where exists (select from pg_locks
                  where locktype = 'advisory' and granted and objsubid = 1
                    and database = (select oid from pg_database where datname = current_database())
                    and (classid::bigint << 32) | objid::bigint = ${key('slot')})`;
const PAUSE = `
  with old as (
    delete from unified.system_pauses where account in (
      select account from unified.system_pauses where "until" < now() - interval '1 hour' and account <> $1
         for update skip locked))
  insert into unified.system_pauses as p (account, kind, "until") values ($1, $2, now() + make_interval(secs => $3::float8))
  on conflict (account) do update set
    kind = case when p."until" < excluded."until" then excluded.kind else p.kind end,
    "until" = greatest(p."until", excluded."until")`;
const PAUSED = `
  select account, kind, ceil(extract(epoch from "until" - now()))::int as seconds,
         to_char("until" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as until
    from unified.system_pauses
   where account = any ($1) and "until" > now()`;
const RESUME = 'delete from unified.system_pauses where account = $1 and "until" > now() returning account';

const APPLICATION_NAME = 'unified calls';

/** Slots of one database connection, opened by the first `take`. */
export function callSlots(store: Store): CallSlots {
  // PostgreSQL grants a lock to the same session twice, so the slots of this process are listed here.
  const held = new Set<string>();
  const inTurn = turns();
  let client: Promise<pg.Client> | null = null;
  let isClosed = false;
  const connected = () => {
    if (isClosed) throw new Error('The slots of this process are closed.');
    client ??= connect(store, () => {
      client = null;
      held.clear();
    }).catch((error: unknown) => {
      client = null;
      throw error;
    });
    return client;
  };
  return {
    take: (account, slots) =>
      inTurn(async () => {
        const free = slots.filter((slot) => !held.has(`${account} ${slot}`));
        if (free.length === 0) return null;
        const used = await connected();
        const { rows } = await used.query<{ slot: number }>(TAKE, [account, free]);
        const [row] = rows;
        if (!row) return null;
        const name = `${account} ${row.slot}`;
        held.add(name);
        return {
          release: () =>
            inTurn(async () => {
              // After a broken connection, the slot may belong to another process.
              if ((await client) !== used || !held.delete(name)) return;
              // A call that was made must not fail because of its slot: the end of the connection releases it as well.
              await used.query(RELEASE, [account, row.slot]).catch(() => used.end());
            }),
        };
      }),
    async taken(account, most) {
      const { rows } = await asOwner<{ taken: number }>(store, TAKEN, [account, most]);
      return rows[0]?.taken ?? 0;
    },
    pause: async (account, { kind, seconds }) => void (await asOwner(store, PAUSE, [account, kind, seconds])),
    async pausesOf(accounts) {
      const { rows } = await asOwner<CurrentPause & { account: string }>(store, PAUSED, [accounts]);
      return new Map(rows.map(({ account, ...pause }) => [account, pause]));
    },
    resume: async (account) => (await asOwner(store, RESUME, [account])).rows.length > 0,
    close: () =>
      inTurn(async () => {
        isClosed = true;
        held.clear();
        await (await client)?.end();
      }),
  };
}

async function connect(store: Store, onEnd: () => void): Promise<pg.Client> {
  const { databaseUrl: connectionString, onError } = internalsOf(store);
  const client = new pg.Client({ connectionString, application_name: APPLICATION_NAME, keepAlive: true });
  client.on('error', onError);
  await client.connect();
  client.once('end', onEnd);
  return client;
}
