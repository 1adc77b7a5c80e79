import { AVAILABLE_ACTIONS, type Entity } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { appendChanges, lockChangeCursor, moveChangeCursor } from '../../changes/change-log.ts';
import { jsonArray } from '../../sql/parameter.ts';
import { type ByteBudget, bulkStatement } from '../../sql/statement.ts';
import { tableOf } from '../../tables/derive-table.ts';
import { DOCUMENT_BYTES, withinBudget } from './within-budget.ts';

/**
 * Marks records of `source` with one of these `_idValue`s as deleted in the connected system at `deletedAt` (RFC 3339). Records
 * that are already deleted, or unknown, stay unchanged. Returns the number of marked records.
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
    const begun = await lockChangeCursor(inner);
    let seq = begun;
    const read = (part: readonly string[], budget: ByteBudget) => visible(inner, entity, source, part, budget);
    for await (const { found } of withinBudget(idValues, DOCUMENT_BYTES, read)) {
      if (found.length === 0) continue;
      await mark(inner, entity, found, deletedAt, seq);
      seq += found.length;
    }
    if (seq > begun) await moveChangeCursor(session, scope.connectionId, seq);
    return seq - begun;
  });
}

/** Id and document of the records that have not been deleted yet. */
async function visible(
  scope: Scope,
  entity: Entity,
  source: string,
  idValues: readonly string[],
  budget: ByteBudget,
): Promise<(readonly [id: string, doc: string])[]> {
  const statement = bulkStatement(
    `select id, doc from ${tableOf(entity)}
      where connection_id = $1 and "_source" = $2 and "_idValue" = any($3::text[]) and "_deletedAt" is null`,
  );
  const rows = await sessionOf(scope).texts(statement, [scope.connectionId, source, idValues], budget);
  return rows.map(([id, doc]) => [String(id), String(doc)]);
}

/** Stores and logs that records are deleted. The changes are numbered from `seq` + 1. */
async function mark(
  scope: Scope,
  entity: Entity,
  rows: readonly (readonly [id: string, doc: string])[],
  deletedAt: string,
  seq: number,
): Promise<void> {
  const ids = rows.map(([id]) => id);
  await sessionOf(scope).runBulk(
    `update ${tableOf(entity)} stored set doc = given.doc, "_deletedAt" = $4::timestamptz, version = $5::bigint + given.place
       from unnest($2::uuid[], $3::json[]) with ordinality given(id, doc, place)
      where stored.connection_id = $1 and stored.id = given.id`,
    [
      scope.connectionId,
      ids,
      jsonArray(rows.map(([, doc]) => JSON.stringify(deletedDoc(JSON.parse(doc), deletedAt)))),
      deletedAt,
      seq,
    ],
  );
  const changes = ids.map((id) => ({ entity: entity.name, id, kind: 'deleted' as const, fields: ['_deletedAt'] }));
  await appendChanges(scope, seq, changes);
}

/** A deleted record can only be read. Spreading preserves the order of the keys, so the document stays comparable as text. */
function deletedDoc(doc: object, deletedAt: string): object {
  return { ...doc, _deletedAt: deletedAt, ...(AVAILABLE_ACTIONS in doc && { [AVAILABLE_ACTIONS]: [] }) };
}
