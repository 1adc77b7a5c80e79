import type { Entity, Field, Reference } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { lockChangeCursor } from '../../changes/change-log.ts';
import { linkName, tableOf } from '../../tables/derive-table.ts';
import { storedEntities } from '../../tables/derive-view.ts';

/** Raw rows whose records must be derived again. */
export interface StaleRows {
  readonly stream: string;
  readonly keys: string[];
}

/** A statement costs about the same for one target as for thousands. */
const EXPANDED_AT_ONCE = 2_000;

/**
 * Number of records of each stream that must be derived again, as returned by `recordsToRederive`; streams without such records
 * are absent. References whose target was not read do not count.
 */
export async function pendingRelations(scope: Scope): Promise<Map<string, number>> {
  const rows = await sessionOf(scope).run<{ source: string; records: number }>(
    'select source, count(*)::int as records from unified.stale_records where connection_id = $1 group by source',
    [scope.connectionId],
  );
  return new Map(rows.map(({ source, records }) => [source, records]));
}

/** References of one field that match no record, or more than one. */
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

/** Unresolved references of the records of a connection, by field. Until all targets have been read, there are many. */
export async function unresolvedFields(scope: Scope): Promise<UnresolvedField[]> {
  return sessionOf(scope).run<UnresolvedField>(
    `select source as stream, owner, field, entity, by, count(*)::int as count, min(value) as example
       from unified.unresolved_references where connection_id = $1 and owner <> ''
      group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
    [scope.connectionId],
  );
}

/**
 * Takes up to `limit` records that must be derived again, because a missing target arrived or a target changed its label (see
 * `expandRenamed`). Call it in the transaction that saves them again: if that fails, they stay in the list. The raw row of a
 * record is identified by the record's `_source` as stream and its `_idValue` as key.
 */
export async function recordsToRederive(scope: Scope, limit: number): Promise<StaleRows[]> {
  return scope.transaction(async (inner) => {
    const session = sessionOf(inner);
    await lockChangeCursor(inner);
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

/**
 * Marks the records that point to renamed targets as to be derived again, for up to 2,000 targets at a time. Returns the
 * number of these targets; 0 if there are none left.
 */
export async function expandRenamed(scope: Scope): Promise<number> {
  return scope.transaction(async (inner) => {
    await lockChangeCursor(inner);
    const renamed = await takeRenamed(inner);
    for (const [target, rows] of Map.groupBy(renamed, ({ entity }) => entity)) {
      const selects = storedEntities(scope.entities).flatMap((entity) =>
        entity.fields.filter((each) => pointsTo(each, target)).map((field) => pointing(entity, field)),
      );
      if (selects.length === 0) continue;
      // One statement for all fields: some entities are the target of a hundred.
      await sessionOf(inner).runBulk(
        `insert into unified.stale_records (connection_id, source, "idValue") ${selects.join(' union all ')} on conflict do nothing`,
        [scope.connectionId, rows.map(({ id }) => id)],
      );
    }
    return renamed.length;
  });
}

async function takeRenamed(scope: Scope): Promise<{ entity: string; id: string }[]> {
  return sessionOf(scope).runBulk<{ entity: string; id: string }>(
    `delete from unified.renamed_targets r using (
       select entity, id from unified.renamed_targets where connection_id = $1 limit ${EXPANDED_AT_ONCE}
     ) taken
     where r.connection_id = $1 and r.entity = taken.entity and r.id = taken.id returning r.entity, r.id`,
    [scope.connectionId],
  );
}

function pointsTo({ targets, fields }: Field, target: string): boolean {
  return targets?.includes(target) === true || fields?.some((inner) => pointsTo(inner, target)) === true;
}

/** Selects the records of an entity that point to one of the targets `$2` in a field. */
function pointing(entity: Entity, { name, kind }: Field): string {
  const linked = `id in (select id from unified.links
    where connection_id = $1 and field = '${linkName(entity.name, { name })}' and target = any($2::uuid[]))`;
  const matches = kind === 'relation' ? `"${name}" = any($2::uuid[])` : linked;
  return `select connection_id, "_source", "_idValue" from ${tableOf(entity)}
    where connection_id = $1 and ${matches} and "_deletedAt" is null`;
}
