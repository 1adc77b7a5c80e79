import type { Entity, Field } from '@unified/contract';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { linkName, listFields } from '../../tables/derive-table.ts';
import { embeddedIds, embeddings } from './embedded-references.ts';
import type { Existing } from './existing.ts';
import type { Draft } from './record-draft.ts';

/** A record and the record that one of its fields points to. */
type LinkEnds = readonly [target: string, id: string];

/**
 * Updates the links of saved records to match their lists and the objects that contain references. An unchanged list costs one
 * comparison.
 */
export async function saveLinks(scope: Scope, entity: Entity, drafts: readonly Draft[]): Promise<void> {
  for (const [place, field] of listFields(entity).entries())
    await saveField(scope, entity, field, drafts, ({ lists }) => lists[place] ?? []);
  for (const embedding of embeddings(entity))
    await saveField(scope, entity, embedding.field, drafts, ({ doc }) => embeddedIds(embedding, doc));
}

async function saveField(
  scope: Scope,
  entity: Entity,
  field: Field,
  drafts: readonly Draft[],
  storedIds: (before: Existing) => readonly string[],
): Promise<void> {
  const [added, removed]: [LinkEnds[], LinkEnds[]] = [[], []];
  for (const draft of drafts) {
    const [stored, found] = [draft.before ? storedIds(draft.before) : [], targetIds(draft.links[field.name])];
    if (stored.length + found.length === 0) continue;
    const [before, after] = [new Set(stored), new Set(found)];
    for (const target of after) if (!before.has(target)) added.push([target, draft.id]);
    for (const target of before) if (!after.has(target)) removed.push([target, draft.id]);
  }
  const name = linkName(entity.name, field);
  await change(scope, DELETE, name, removed);
  await change(scope, INSERT, name, added);
}

const INSERT = `insert into unified.links (connection_id, field, target, id)
  select $1::uuid, $2::text, * from unnest($3::uuid[], $4::uuid[]) on conflict do nothing`;

const DELETE = `delete from unified.links stored using unnest($3::uuid[], $4::uuid[]) gone(target, id)
  where stored.connection_id = $1 and stored.field = $2 and stored.target = gone.target and stored.id = gone.id`;

async function change(scope: Scope, statement: string, name: string, links: readonly LinkEnds[]): Promise<void> {
  if (links.length === 0) return;
  const [targets, ids] = [links.map(([target]) => target), links.map(([, id]) => id)];
  await sessionOf(scope).runBulk(statement, [scope.connectionId, name, targets, ids]);
}

function targetIds(found: Draft['links'][string] | undefined): readonly string[] {
  return Array.isArray(found) ? found.map(({ id }) => id) : [];
}
