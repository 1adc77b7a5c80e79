import type { Entity, Field } from '@unified/contract';
import type { Scope } from '../../access/scope.ts';
import { type BoundStatement, bulkStatement, type Statement } from '../../sql/statement.ts';
import { linkName, listFields } from '../../tables/derive-table.ts';
import { embeddedIds, embeddings } from './embedded-references.ts';
import type { Existing } from './existing.ts';
import type { Draft } from './record-draft.ts';

/** A record and the record that one of its fields points to. */
type LinkEnds = readonly [target: string, id: string];

/**
 * Statements that update the links of saved records to match their lists and the objects that contain references. An unchanged list
 * costs one comparison.
 */
export function linkStatements(scope: Scope, entity: Entity, drafts: readonly Draft[]): BoundStatement[] {
  const lists = listFields(entity).flatMap((field, place) =>
    changesOf(scope, entity, field, drafts, ({ lists }) => lists[place] ?? []),
  );
  const objects = embeddings(entity).flatMap((embedding) =>
    changesOf(scope, entity, embedding.field, drafts, ({ doc }) => embeddedIds(embedding, doc)),
  );
  return [...lists, ...objects];
}

function changesOf(
  scope: Scope,
  entity: Entity,
  field: Field,
  drafts: readonly Draft[],
  storedIds: (before: Existing) => readonly string[],
): BoundStatement[] {
  const [added, removed]: [LinkEnds[], LinkEnds[]] = [[], []];
  for (const draft of drafts) {
    const [stored, found] = [draft.before ? storedIds(draft.before) : [], targetIds(draft.links[field.name])];
    if (stored.length + found.length === 0) continue;
    const [before, after] = [new Set(stored), new Set(found)];
    for (const target of after) if (!before.has(target)) added.push([target, draft.id]);
    for (const target of before) if (!after.has(target)) removed.push([target, draft.id]);
  }
  const name = linkName(entity.name, field);
  return [...change(scope, DELETE, name, removed), ...change(scope, INSERT, name, added)];
}

const INSERT = bulkStatement(`insert into unified.links (connection_id, field, target, id)
  select $1::uuid, $2::text, * from unnest($3::uuid[], $4::uuid[]) on conflict do nothing`);

const DELETE = bulkStatement(`delete from unified.links stored using unnest($3::uuid[], $4::uuid[]) gone(target, id)
  where stored.connection_id = $1 and stored.field = $2 and stored.target = gone.target and stored.id = gone.id`);

function change(scope: Scope, statement: Statement, name: string, links: readonly LinkEnds[]): BoundStatement[] {
  if (links.length === 0) return [];
  const [targets, ids] = [links.map(([target]) => target), links.map(([, id]) => id)];
  return [{ statement, values: [scope.connectionId, name, targets, ids] }];
}

function targetIds(found: Draft['links'][string] | undefined): readonly string[] {
  return Array.isArray(found) ? found.map(({ id }) => id) : [];
}
