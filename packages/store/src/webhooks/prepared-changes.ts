import { v7 as newId } from 'uuid';
import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';
import { IS_BEHIND } from './due-deliveries.ts';
import type { EventKind } from './event.ts';
import { IS_RESENT } from './waiting-deliveries.ts';

/** Changes of a connection that are to be prepared for an endpoint: those after `seq`. */
export interface ChangesToPrepare {
  readonly connectionId: string;
  readonly seq: number;
  /** The replay that they belong to; null if they are new. */
  readonly replayId: string | null;
  /** The last change of a replay; null means the end of the log. */
  readonly lastSeq: number | null;
  /** A replay covers changes after this time and up to `until`, RFC 3339; null means any time. */
  readonly since: string | null;
  readonly until: string | null;
}

/**
 * The next changes to prepare for an endpoint, of the connection that has waited longest; replays come last. Null if there are
 * none.
 */
export async function changesToPrepare(store: Store, endpointId: string): Promise<ChangesToPrepare | null> {
  const { rows } = await asOwner<ChangesToPrepare>(store, NEW_CHANGES, [endpointId]);
  if (rows[0]) return rows[0];
  const replays = await asOwner<ChangesToPrepare>(store, REPLAYS, [endpointId]);
  return replays.rows[0] ?? null;
}

const NEW_CHANGES = `select connection.id as "connectionId", coalesce(position.seq, 0) as seq,
    null::uuid as "replayId", null::bigint as "lastSeq", null::timestamptz as since, null::timestamptz as until
   from unified.webhook_endpoints endpoint
   join unified.connections connection on connection."applicationId" = endpoint."applicationId"
   join unified.change_cursors log on log.connection_id = connection.id
   left join unified.webhook_positions position
     on position."endpointId" = endpoint.id and position."connectionId" = connection.id
  where endpoint.id = $1 and ${IS_BEHIND}
  order by log."changedAt" nulls first limit 1`;

const REPLAYS = `select "connectionId", seq, id as "replayId", "lastSeq", since, until
   from unified.webhook_replays where "endpointId" = $1 order by id limit 1`;

/** A delivery to store. */
export interface PreparedDelivery {
  readonly eventId: string;
  /** Number of the change in the log of its connection. */
  readonly seq: number;
  readonly type: EventKind;
  readonly subject: string;
  readonly body: string;
}

/**
 * Stores deliveries of changes up to `reached`, and moves the position of the endpoint there. Those of a replay that were still to
 * be sent when it was requested are left out. Returns false, and stores nothing, if another worker has moved it in the meantime.
 */
export function storePrepared(
  store: Store,
  endpointId: string,
  { connectionId, seq, replayId, lastSeq }: ChangesToPrepare,
  { reached, deliveries }: { readonly reached: number; readonly deliveries: readonly PreparedDelivery[] },
): Promise<boolean> {
  return inOwnerTransaction(store, async (client) => {
    const { rowCount } = replayId
      ? await client.query('update unified.webhook_replays set seq = $2 where id = $1 and seq = $3', [
          ...[replayId, reached, seq],
        ])
      : await client.query(MOVE_POSITION, [endpointId, connectionId, reached, seq]);
    if (rowCount !== 1) return false;
    if (deliveries.length > 0) {
      const columns = (['eventId', 'seq', 'type', 'subject', 'body'] as const).map((name) =>
        deliveries.map((each) => each[name]),
      );
      await client.query(INSERT, [endpointId, connectionId, deliveries.map(() => newId()), ...columns, replayId]);
    }
    if (replayId && lastSeq !== null && reached >= lastSeq)
      await client.query('delete from unified.webhook_replays where id = $1', [replayId]);
    return true;
  });
}

const MOVE_POSITION = `insert into unified.webhook_positions as position ("endpointId", "connectionId", seq) values ($1, $2, $3)
  on conflict ("endpointId", "connectionId") do update set seq = excluded.seq where position.seq = $4`;

/**
 * An event that was still to be sent when its replay was requested is stored once more only after an earlier one of the same
 * subject.
 */
const INSERT = `with given as (
    select *, exists (select from unified.webhook_replays replay
                       where replay.id = $9 and ("eventId" = any("waitingIds") or given.seq > "preparedSeq"))
         and not exists (select from unified.webhook_deliveries replayed
                          where replayed."replayId" = $9 and replayed.subject = given.subject) as "isWaiting"
      from unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::text[], $7::text[], $8::text[]) with ordinality
        given(id, "eventId", seq, type, subject, body, n))
  insert into unified.webhook_deliveries
    ("endpointId", "connectionId", id, "eventId", type, subject, body, "nextAttemptAt", "replayId")
  select $1, $2, id, "eventId", type, subject, body, now(), $9
    from (select *, ${IS_RESENT} as "isResent" from given) each where "isResent" order by n`;
