import { type Scope, type ScopeOf, sessionOf } from '../access/scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { tableOf } from '../tables/derive-table.ts';
import { removeLoose } from './store-content.ts';

/** Seconds for which bytes without references are kept: an upload may be in progress, or a write about to be queued. */
const GRACE = 3600;
/** Seconds until a content is checked again. */
const PAUSE = 600;
/** Maximum number of items per sweep; the rest follow in the next one. */
const MOST = 500;

export interface SweepOptions {
  /** Seconds; by default an hour. */
  readonly grace?: number;
  /** Seconds; by default ten minutes. */
  readonly pause?: number;
}

/**
 * Removes files that are no longer needed: contents whose checksum is in no existing record and no unsettled write, and bytes
 * that an interrupted upload or removal left behind. Returns the number of files removed.
 */
export async function sweepContents(store: Store, options: SweepOptions = {}): Promise<number> {
  const { grace = GRACE, pause = PAUSE } = options;
  for (const { scope, keys } of await due(store, CONTENTS_DUE, pause)) await loosenUnneeded(scope, keys, grace);
  let removed = 0;
  for (const { scope, keys } of await due(store, LOOSE_DUE, grace)) {
    for (const contentId of keys) await removeLoose({ scope, contentId });
    removed += keys.length;
  }
  return removed;
}

const CONTENTS_DUE = `select connection_id, "applicationId", sha256 as key from unified.contents
   join unified.connections on connections.id = connection_id
  where "checkedAt" <= now() - make_interval(secs => $1) order by "checkedAt" limit ${MOST}`;
const LOOSE_DUE = `select connection_id, "applicationId", "contentId" as key from unified.loose_contents
   join unified.connections on connections.id = connection_id
  where since <= now() - make_interval(secs => $1) order by since limit ${MOST}`;

/** Due items, by connection. */
async function due(store: Store, sql: string, seconds: number): Promise<{ scope: Scope; keys: string[] }[]> {
  type Due = Pick<ScopeOf, 'applicationId'> & { readonly connection_id: string; readonly key: string };
  const { rows } = await asOwner<Due>(store, sql, [seconds]);
  const byConnection = Map.groupBy(rows, ({ connection_id }) => connection_id);
  return [...byConnection].map(([connectionId, each]) => ({
    scope: store.scope({ connectionId, applicationId: each[0]?.applicationId ?? '' }),
    keys: each.map(({ key }) => key),
  }));
}

/** Marks as loose the given contents that nothing refers to, so that they are removed immediately. */
async function loosenUnneeded(scope: Scope, checksums: readonly string[], grace: number): Promise<void> {
  await scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    const needed = await namedByRecords(inner, checksums);
    await session.run(
      `with unneeded as (
         delete from unified.contents content
          where connection_id = $1 and sha256 = any($2::text[]) and "storedAt" <= now() - make_interval(secs => $3)
            and sha256 <> all($4::text[])
            and not exists (select from unified.writes where connection_id = content.connection_id
                              and status in ('pending', 'running', 'unknown') and body->>'sha256' = content.sha256)
         returning "contentId")
       insert into unified.loose_contents (connection_id, "contentId", since)
       select $1::uuid, "contentId", '-infinity' from unneeded`,
      [scope.connectionId, checksums, grace, needed],
    );
    await session.run(
      'update unified.contents set "checkedAt" = now() where connection_id = $1 and sha256 = any($2::text[])',
      [scope.connectionId, checksums],
    );
  });
}

/** Those of the checksums that existing records have. */
async function namedByRecords(scope: Scope, checksums: readonly string[]): Promise<string[]> {
  const records = Object.values(scope.entities).filter(({ holdsFile }) => holdsFile);
  if (records.length === 0) return [];
  const named = records.map(
    (entity) =>
      `select sha256 from ${tableOf(entity)} where connection_id = $1 and "_deletedAt" is null and sha256 = any($2::text[])`,
  );
  const rows = await sessionOf(scope).run<{ sha256: string }>(named.join(' union '), [scope.connectionId, checksums]);
  return rows.map(({ sha256 }) => sha256);
}
