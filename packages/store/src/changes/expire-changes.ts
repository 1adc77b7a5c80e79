import { asOwner, inOwnerTransaction, type Store } from '../access/store.ts';

/** Number of changes that are removed at a time. In the meantime, nothing can be saved for their connection. */
const REMOVED_AT_ONCE = 10_000;

/**
 * Removes the changes of an application's connections that were logged before a time (RFC 3339). Readers whose cursor is among
 * them are refused from then on. May run in several processes at the same time. Throws SERVICE_UNAVAILABLE.
 */
export async function expireChanges(store: Store, applicationId: string, before: string): Promise<void> {
  const { rows } = await asOwner<{ id: string }>(
    store,
    'select id from unified.connections where "applicationId" = $1 and unified.oldest_change(id) < $2',
    [applicationId, before],
  );
  for (const { id } of rows) while (await expireNext(store, id, before));
}

/** Removes the oldest changes of a connection. Returns whether there may be more. */
async function expireNext(store: Store, connectionId: string, before: string): Promise<boolean> {
  const { rows } = await asOwner<{ last: number | null; count: number }>(
    store,
    `select max(seq) as last, count(*)::int as count
       from (select seq, at from unified.changes where connection_id = $1 order by seq limit $2) oldest where at < $3`,
    [connectionId, REMOVED_AT_ONCE, before],
  );
  const { last = null, count = 0 } = rows[0] ?? {};
  if (last === null) return false;
  await inOwnerTransaction(store, async (client) => {
    await client.query('update unified.change_cursors set expired = greatest(expired, $2) where connection_id = $1', [
      connectionId,
      last,
    ]);
    await client.query('delete from unified.changes where connection_id = $1 and seq <= $2', [connectionId, last]);
  });
  return count === REMOVED_AT_ONCE;
}
