import { type Scope, sessionOf } from '../access/scope.ts';
import { asOwner, type Store } from '../access/store.ts';
import { lockChangeCursor } from '../changes/change-log.ts';
import { OWNED, type OwnedConnection } from '../identity/connection-owner.ts';
import { emitInScope } from '../webhooks/emit-event.ts';

/** A table that a connection copies in addition to the streams of its platform. */
export interface StoredCustomStream {
  readonly name: string;
  readonly key: readonly string[];
  readonly cursor?: string;
}

/**
 * Activates a revision of an entity; 0 is the mapping of the platform. Returns the revision that was active before. After the
 * commit, transactions that store records by the earlier mappings are undone; see `MappingChanged`.
 */
export async function activateRevision(scope: Scope, entity: string, revision: number): Promise<number> {
  return scope.transaction(async (inner) => {
    await lockMappings(inner);
    const [active] = await sessionOf(inner).run<{ revision: number }>(
      'select revision from unified.active_field_mappings where connection_id = $1 and entity = $2',
      [scope.connectionId, entity],
    );
    const before = active?.revision ?? 0;
    if (before === revision) return before;
    await sessionOf(inner).run(
      `insert into unified.active_field_mappings as stored (connection_id, entity, revision, version, "revisionBefore")
       values ($1, $2, $3, $4, 0)
       on conflict (connection_id, entity)
         do update set revision = excluded.revision, version = excluded.version, "activatedAt" = now(),
           "revisionBefore" = stored.revision, "versionBefore" = stored.version`,
      [scope.connectionId, entity, revision, await nextVersion(inner)],
    );
    const { connectionId } = scope;
    await emitInScope(inner, {
      ...{ type: 'mapping.activated', subject: `mapping ${connectionId} ${entity}`, entity },
      data: { connectionId, entity, revision },
    });
    return before;
  });
}

/** The custom streams of a connection, in their order. */
export async function customStreamsOf(scope: Scope): Promise<StoredCustomStream[]> {
  const rows = await sessionOf(scope).run<{ stream: StoredCustomStream }>(
    'select stream from unified.custom_streams where connection_id = $1 order by place',
    [scope.connectionId],
  );
  return rows.map(({ stream }) => stream);
}

/**
 * Replaces the custom streams of a connection, and returns the earlier ones. Copied rows of streams that no longer exist, or
 * whose key has changed, are removed.
 */
export async function replaceCustomStreams(
  scope: Scope,
  streams: readonly StoredCustomStream[],
): Promise<StoredCustomStream[]> {
  return scope.transaction(async (inner) => {
    await lockMappings(inner);
    const before = await customStreamsOf(inner);
    if (JSON.stringify(before) === JSON.stringify(streams)) return before;
    const keyOf = ({ name, key }: StoredCustomStream) => JSON.stringify([name, key]);
    const kept = new Set(streams.map(keyOf));
    const gone = before.filter((each) => !kept.has(keyOf(each))).map(({ name }) => name);
    await forgetStreams(inner, gone);
    await sessionOf(inner).run('delete from unified.custom_streams where connection_id = $1', [scope.connectionId]);
    await sessionOf(inner).runBulk(
      `insert into unified.custom_streams (connection_id, name, place, stream)
       select $1::uuid, stream ->> 'name', place, stream from json_array_elements($2::json) with ordinality given(stream, place)`,
      [scope.connectionId, JSON.stringify(streams)],
    );
    await nextVersion(inner);
    return before;
  });
}

async function forgetStreams(scope: Scope, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  for (const table of ['raw_rows', 'raw_passes', 'row_problems', 'sync_streams'])
    await sessionOf(scope).runBulk(
      `delete from unified.${table} where connection_id = $1 and stream = any($2::text[])`,
      [...[scope.connectionId, names]],
    );
}

/** Locks the connection first, in the same order as its deletion. */
async function lockMappings(scope: Scope): Promise<void> {
  await sessionOf(scope).runAsOwner('select from unified.connections where id = $1 for no key update', [
    scope.connectionId,
  ]);
  await lockChangeCursor(scope);
}

/** Ends the sessions of the connection and marks its records as due for derivation. Returns the new version. */
async function nextVersion(scope: Scope): Promise<number> {
  const [row] = await sessionOf(scope).run<{ version: number }>(
    `update unified.change_cursors set "mappingVersion" = "mappingVersion" + 1
      where connection_id = $1 returning "mappingVersion" as version`,
    [scope.connectionId],
  );
  const version = row?.version ?? 0;
  await sessionOf(scope).runAsOwner(
    `update unified.connections
        set "mappingVersion" = $2, "updatedAt" = greatest(now(), "updatedAt" + interval '1 millisecond') where id = $1`,
    [scope.connectionId, String(version)],
  );
  return version;
}

/** Active connections whose records have not yet been derived by their active mappings. */
export async function underivedConnections(store: Store, limit: number): Promise<OwnedConnection[]> {
  const { rows } = await asOwner<OwnedConnection>(
    store,
    `select ${OWNED} from unified.connections
      where status = 'active' and "derivedVersion" <> "mappingVersion" order by id limit $1`,
    [limit],
  );
  return rows;
}

/** The version of the mappings by which all records of a connection were last derived. */
export async function derivedVersion(store: Store, connectionId: string): Promise<number> {
  const { rows } = await asOwner<{ version: number }>(
    store,
    'select "derivedVersion" as version from unified.connections where id = $1',
    [connectionId],
  );
  return rows[0]?.version ?? 0;
}

/** Stores that all records have been derived by this version of the mappings. */
export async function markDerived(store: Store, connectionId: string, version: number): Promise<void> {
  await asOwner(store, 'update unified.connections set "derivedVersion" = $2 where id = $1', [connectionId, version]);
}
