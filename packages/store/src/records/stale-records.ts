import type { Entity, Field, Reference } from '@unified/contract';
import { tableOf } from '../schema/derive-table.ts';
import { storedEntities } from '../schema/derive-view.ts';
import { type Scope, sessionOf } from '../scope.ts';
import { lockHead } from './change-head.ts';
import type { Draft } from './draft.ts';
import { linkName } from './links.ts';
import type { Finished } from './upsert.ts';

/** Raw rows whose records have to be derived again. */
export interface StaleRows {
  readonly stream: string;
  readonly keys: string[];
}

const EXPANDED_AT_ONCE = 50;

/** Remembers which references of these records found no target, in place of what was remembered of them before. */
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

/** Marks the records that waited for one of these: for its `_idValue`, its code or its label. */
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

/** Remembers records whose label changed: references to them show the old one. */
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

/**
 * How many records of each stream have to be derived again, as `recordsToRederive` gives them; streams without any are
 * absent. References whose target was not read are no reason.
 */
export async function pendingRelations(scope: Scope): Promise<Map<string, number>> {
  const rows = await sessionOf(scope).run<{ source: string; records: number }>(
    'select source, count(*)::int as records from unified.stale_records where connection_id = $1 group by source',
    [scope.connectionId],
  );
  return new Map(rows.map(({ source, records }) => [source, records]));
}

/** References of one field that no record, or more than one, fits. */
export interface UnresolvedField {
  readonly stream: string;
  readonly owner: string;
  readonly field: string;
  /** Kind of the record that is missing. */
  readonly entity: string;
  readonly by: Reference['by'];
  readonly count: number;
  /** One of the values. */
  readonly example: string;
}

/** What the records of a connection refer to in vain, by field. While targets are still to be read, that is much. */
export async function unresolvedFields(scope: Scope): Promise<UnresolvedField[]> {
  return sessionOf(scope).run<UnresolvedField>(
    `select source as stream, owner, field, entity, by, count(*)::int as count, min(value) as example
       from unified.unresolved_references where connection_id = $1 and owner <> ''
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    [scope.connectionId],
  );
}

/**
 * Takes up to `limit` records that have to be derived again, because a target that they waited for arrived or one that
 * they point to changed its label. Call it in the transaction that saves them again: if that fails they come back.
 * The raw row of a record is taken to have the record's `_source` as stream and its `_idValue` as key.
 */
export async function recordsToRederive(scope: Scope, limit: number): Promise<StaleRows[]> {
  return scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    await lockHead(session, scope.connectionId);
    await expandRenamed(inner);
    const rows = await session.runBulk<{ source: string; idValue: string }>(
      `delete from unified.stale_records s using (
         select source, "idValue" from unified.stale_records where connection_id = $1 order by source, "idValue" limit $2::int
       ) taken
       where s.connection_id = $1 and s.source = taken.source and s."idValue" = taken."idValue"
       returning s.source, s."idValue"`,
      [scope.connectionId, limit],
    );
    return [...Map.groupBy(rows, ({ source }) => source)].map(([stream, group]) => ({
      stream,
      keys: group.map(({ idValue }) => idValue),
    }));
  });
}

/** Turns renamed targets into the records that point to them. */
async function expandRenamed(scope: Scope): Promise<void> {
  const renamed = await sessionOf(scope).runBulk<{ entity: string; id: string }>(
    `delete from unified.renamed_targets r using (
       select entity, id from unified.renamed_targets where connection_id = $1 limit ${EXPANDED_AT_ONCE}
     ) taken
     where r.connection_id = $1 and r.entity = taken.entity and r.id = taken.id returning r.entity, r.id`,
    [scope.connectionId],
  );
  for (const [target, rows] of Map.groupBy(renamed, ({ entity }) => entity)) {
    for (const entity of storedEntities(scope.entities)) {
      for (const field of entity.fields.filter((each) => pointsTo(each, target))) {
        await markPointing(
          scope,
          entity,
          field,
          rows.map(({ id }) => id),
        );
      }
    }
  }
}

function pointsTo({ targets, fields }: Field, target: string): boolean {
  return targets?.includes(target) === true || fields?.some((inner) => pointsTo(inner, target)) === true;
}

async function markPointing(
  scope: Scope,
  entity: Entity,
  { name, kind }: Field,
  ids: readonly string[],
): Promise<void> {
  const linked = `id in (select id from unified.links
    where connection_id = $1 and field = '${linkName(entity.name, { name })}' and target = any($2::uuid[]))`;
  const matches = kind === 'relation' ? `"${name}" = any($2::uuid[])` : linked;
  await sessionOf(scope).runBulk(
    `insert into unified.stale_records (connection_id, source, "idValue")
     select connection_id, "_source", "_idValue" from ${tableOf(entity)}
      where connection_id = $1 and ${matches} and "_deletedAt" is null on conflict do nothing`,
    [scope.connectionId, ids],
  );
}
