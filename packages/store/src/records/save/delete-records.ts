import { AVAILABLE_ACTIONS, type Entity } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { appendChanges, lockChangeCursor, moveChangeCursor } from '../../changes/change-log.ts';
import { tableOf } from '../../tables/derive-table.ts';

/**
 * Marks records as deleted in the connected system at `deletedAt` (RFC 3339), those of `source` with one of these
 * `_idValue`s; records that are already deleted, or unknown, stay unchanged. Returns the number of marked records.
 */
export async function deleteRecords(
  scope: Scope,
  entity: Entity,
  source: string,
  idValues: readonly string[],
  deletedAt: string,
): Promise<number> {
  return scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    const seq = await lockChangeCursor(session, scope.connectionId);
    const rows = await session.runBulk<{ id: string; doc: object }>(
      `select id, doc from ${tableOf(entity)}
        where connection_id = $1 and "_source" = $2 and "_idValue" = any($3::text[]) and "_deletedAt" is null`,
      [scope.connectionId, source, idValues],
    );
    if (rows.length === 0) return 0;
    await session.runBulk(
      `update ${tableOf(entity)} stored set doc = given.doc, "_deletedAt" = $4::timestamptz, version = $5::bigint + given.place
         from unnest($2::uuid[], $3::json[]) with ordinality given(id, doc, place)
        where stored.connection_id = $1 and stored.id = given.id`,
      [
        scope.connectionId,
        rows.map(({ id }) => id),
        rows.map(({ doc }) => JSON.stringify(deletedDoc(doc, deletedAt))),
        deletedAt,
        seq,
      ],
    );
    const changes = rows.map(({ id }) => ({
      entity: entity.name,
      id,
      kind: 'deleted' as const,
      fields: ['_deletedAt'],
    }));
    await appendChanges(inner, seq, changes);
    await moveChangeCursor(session, scope.connectionId, seq + rows.length);
    return rows.length;
  });
}

/** A deleted record can only be read. Spreading keeps the order of the keys, so the document stays comparable as text. */
function deletedDoc(doc: object, deletedAt: string): object {
  return { ...doc, _deletedAt: deletedAt, ...(AVAILABLE_ACTIONS in doc && { [AVAILABLE_ACTIONS]: [] }) };
}
