import type { Entity } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import type { Draft } from './record-draft.ts';
import type { Finished } from './upsert.ts';

/** Stores which references of these records have no target, and deletes the earlier entries of these records. */
export async function noteUnresolved(scope: Scope, { name: owner }: Entity, drafts: readonly Draft[]): Promise<void> {
  const session = sessionOf(scope);
  const known = drafts.filter(({ before }) => before !== null).map(({ record }) => record);
  for (const [source, records] of Map.groupBy(known, ({ _source }) => _source)) {
    await session.runBulk(
      `delete from unified.unresolved_references
        where connection_id = $1 and source = $2 and "idValue" = any($3::text[]) and owner in ($4, '')`,
      [scope.connectionId, source, records.map(({ _idValue }) => _idValue), owner],
    );
  }
  const open = drafts.flatMap(unresolvedOf);
  if (open.length === 0) return;
  await session.runBulk(
    `insert into unified.unresolved_references (connection_id, owner, source, "idValue", field, entity, by, value)
     select $1::uuid, $2::text, * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
     on conflict do nothing`,
    [scope.connectionId, owner, ...[0, 1, 2, 3, 4, 5].map((place) => open.map((row) => row[place] ?? null))],
  );
}

function unresolvedOf({ record, unresolved }: Draft): string[][] {
  return unresolved.map(({ field, entity, by, value }) => [record._source, record._idValue, field, entity, by, value]);
}

/** Marks records whose missing target is one of these, by `_idValue`, code or label. */
export async function noteArrivals(scope: Scope, entity: Entity, finished: readonly Finished[]): Promise<void> {
  if (finished.length === 0) return;
  await sessionOf(scope).runBulk(
    `with arrived as (
       delete from unified.unresolved_references
        where connection_id = $1 and entity = $2
          and ((by = '_idValue' and value = any($3::text[])) or (by = 'code' and value = any($4::text[]))
            or (by = '_displayValue' and value = any($5::text[])))
        returning source, "idValue")
     insert into unified.stale_records (connection_id, source, "idValue")
     select distinct $1::uuid, source, "idValue" from arrived on conflict do nothing`,
    [
      ...[scope.connectionId, entity.name, finished.map(({ draft }) => draft.record._idValue)],
      ...[finished.map(({ draft }) => draft.code), finished.map(({ draft }) => draft.displayValue)],
    ],
  );
}

/** Stores which records have a new label: references to them still show the old one. */
export async function noteRenamed(scope: Scope, entity: Entity, finished: readonly Finished[]): Promise<void> {
  const renamed = finished.filter(
    ({ draft }) => draft.before !== null && draft.before.displayValue !== draft.displayValue,
  );
  if (renamed.length === 0) return;
  await sessionOf(scope).runBulk(
    `insert into unified.renamed_targets (connection_id, entity, id)
     select $1::uuid, $2::text, unnest($3::uuid[]) on conflict do nothing`,
    [scope.connectionId, entity.name, renamed.map(({ draft }) => draft.id)],
  );
}
