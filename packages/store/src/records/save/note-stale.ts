import type { Entity } from '@unified/contract';
import type { Scope } from '../../access/scope.ts';
import { type BoundStatement, bulkStatement } from '../../sql/statement.ts';
import type { Draft } from './record-draft.ts';
import type { Finished } from './upsert.ts';

/** Statements that store which references of these records have no target, and delete the earlier entries of these records. */
export function unresolvedStatements(
  scope: Scope,
  { name: owner }: Entity,
  drafts: readonly Draft[],
): BoundStatement[] {
  const known = drafts.filter(({ before }) => before !== null).map(({ record }) => record);
  const sources = [...Map.groupBy(known, ({ _source }) => _source)];
  const outdated = sources.map(([source, records]) => ({
    statement: bulkStatement(
      `delete from unified.unresolved_references
        where connection_id = $1 and source = $2 and "idValue" = any($3::text[]) and owner in ($4, '')`,
    ),
    values: [scope.connectionId, source, records.map(({ _idValue }) => _idValue), owner],
  }));
  const open = drafts.flatMap(unresolvedOf);
  if (open.length === 0) return outdated;
  const statement = bulkStatement(
    `insert into unified.unresolved_references (connection_id, owner, source, "idValue", field, entity, by, value)
     select $1::uuid, $2::text, * from unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
     on conflict do nothing`,
  );
  const columns = [0, 1, 2, 3, 4, 5].map((place) => open.map((row) => row[place] ?? null));
  return [...outdated, { statement, values: [scope.connectionId, owner, ...columns] }];
}

function unresolvedOf({ record, unresolved }: Draft): string[][] {
  return unresolved.map(({ field, entity, by, value }) => [record._source, record._idValue, field, entity, by, value]);
}

/** The statement that marks records whose missing target is one of these, by `_idValue`, code or label. */
export function arrivalStatements(scope: Scope, entity: Entity, finished: readonly Finished[]): BoundStatement[] {
  if (finished.length === 0) return [];
  const statement = bulkStatement(
    `with arrived as (
       delete from unified.unresolved_references
        where connection_id = $1 and entity = $2
          and ((by = '_idValue' and value = any($3::text[])) or (by = 'code' and value = any($4::text[]))
            or (by = '_displayValue' and value = any($5::text[])))
        returning source, "idValue")
     insert into unified.stale_records (connection_id, source, "idValue")
     select distinct $1::uuid, source, "idValue" from arrived on conflict do nothing`,
  );
  const idValues = finished.map(({ draft }) => draft.record._idValue);
  const codes = finished.map(({ draft }) => draft.code);
  const labels = finished.map(({ draft }) => draft.displayValue);
  return [{ statement, values: [scope.connectionId, entity.name, idValues, codes, labels] }];
}

/** The statement that stores which records have a new label: references to them still show the old one. */
export function renameStatements(scope: Scope, entity: Entity, finished: readonly Finished[]): BoundStatement[] {
  const renamed = finished.filter(
    ({ draft }) => draft.before !== null && draft.before.displayValue !== draft.displayValue,
  );
  if (renamed.length === 0) return [];
  const statement = bulkStatement(
    `insert into unified.renamed_targets (connection_id, entity, id)
     select $1::uuid, $2::text, unnest($3::uuid[]) on conflict do nothing`,
  );
  return [{ statement, values: [scope.connectionId, entity.name, renamed.map(({ draft }) => draft.id)] }];
}
