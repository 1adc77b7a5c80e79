import type { Entity, MappedRecord, Reference } from '@unified/contract';
import { v7 as newId } from 'uuid';
import { type Addition, appendChanges } from '../changes/append-changes.ts';
import { type Scope, sessionOf } from '../scope.ts';
import { lockHead, moveHead } from './change-head.ts';
import { changedFields } from './changed-fields.ts';
import { type Draft, textOf } from './draft.ts';
import { type Existing, existing, identityOf } from './existing.ts';
import { saveLinks } from './links.ts';
import { type Resolve, resolveAll, withBatch } from './references.ts';
import { joinParts, renderParts } from './render-document.ts';
import { noteArrivals, noteRenamed, noteUnresolved } from './stale-records.ts';
import type { Target } from './targets.ts';
import { type Finished, upsert } from './upsert.ts';

/** What became of the records that were saved. */
export interface Saved {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  /** Ids, in the order of the records given. */
  readonly ids: readonly string[];
}

const BATCH = 1000;

/**
 * Stores mapped records of one entity: keeps or assigns their ids, resolves their references, finishes their documents
 * and logs what changed. A record whose document stays the same costs a comparison. Of two records with the same
 * `_source` and `_idValue` the later counts.
 */
export async function saveRecords(scope: Scope, entity: Entity, records: readonly MappedRecord[]): Promise<Saved> {
  return scope.transaction(async (inner) => {
    let seq = await lockHead(sessionOf(inner), scope.connectionId);
    const total = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
    const ids: string[] = [];
    for (let start = 0; start < records.length; start += BATCH) {
      const batch = await saveBatch(inner, entity, records.slice(start, start + BATCH), seq);
      for (const { kind } of batch.changes) total[kind]++;
      total.unchanged += batch.unchanged;
      for (const id of batch.ids) ids.push(id);
      seq += batch.changes.length;
    }
    await moveHead(sessionOf(inner), scope.connectionId, seq);
    return { ...total, ids };
  });
}

async function saveBatch(scope: Scope, entity: Entity, records: readonly MappedRecord[], seq: number) {
  const places = new Map(records.map((record) => [identityOf(record), record]));
  const distinct = places.size === records.length ? records : [...places.values()];
  const drafts = await draft(scope, entity, distinct);
  const finished: Finished[] = [];
  const changes: Addition[] = [];
  for (const each of drafts) {
    const parts = finish(entity, each, scope.publicUrl);
    if (parts === null) continue;
    const change = changeOf(entity, each, parts);
    if (change) changes.push(change);
    finished.push({ draft: each, doc: joinParts(parts), version: seq + changes.length });
  }
  await upsert(scope, entity, finished);
  await saveLinks(
    scope,
    entity,
    finished.map((each) => each.draft),
  );
  await appendChanges(scope, seq, changes);
  await noteUnresolved(scope, drafts);
  await noteArrivals(scope, entity, finished);
  await noteRenamed(scope, entity, finished);
  const idOf = new Map(drafts.map(({ record, id }) => [identityOf(record), id]));
  const ids = records.map((record) => idOf.get(identityOf(record)) ?? '');
  return { changes, ids, unchanged: records.length - changes.length };
}

async function draft(scope: Scope, entity: Entity, records: readonly MappedRecord[]): Promise<Draft[]> {
  const stored = await existing(scope, entity, records);
  const now = new Date().toISOString();
  const drafts = records.map((record) => begin(record, stored.get(identityOf(record)) ?? null, now));
  const living = drafts.filter(({ deletedAt }) => deletedAt === null);
  const resolve = withBatch(
    await resolveAll(scope, records),
    living.map((each) => targetOf(entity, each)),
  );
  for (const each of drafts) link(each, resolve);
  return drafts;
}

function begin(record: MappedRecord, stored: Existing | null, now: string): Draft {
  const { values, _idValue } = record;
  const code = textOf(values.code) || _idValue;
  const told = { createdAt: textOf(values._createdAt), updatedAt: textOf(values._updatedAt) };
  const kept = stored && !(told.createdAt && told.updatedAt) ? timesOf(stored.doc) : null;
  return {
    record,
    id: stored?.id ?? newId(),
    before: stored,
    code,
    displayValue: textOf(values._displayValue) || textOf(values.name) || code,
    deletedAt: record.deletedAt ?? null,
    links: {},
    createdAt: told.createdAt ?? kept?._createdAt ?? now,
    updatedAt: told.updatedAt ?? kept?._updatedAt ?? now,
  };
}

function timesOf(doc: string): { _createdAt: string; _updatedAt: string } {
  return JSON.parse(doc);
}

function targetOf(entity: Entity, { record, id, code, displayValue }: Draft): Target {
  const { _source, _idValue } = record;
  return {
    entity: entity.name,
    collection: entity.collection,
    id,
    _source,
    _idValue,
    code,
    _displayValue: displayValue,
  };
}

function link({ record, links }: Draft, resolve: Resolve): void {
  for (const [field, value] of Object.entries(record.references)) {
    if (isList(value)) links[field] = value.flatMap((each) => resolve(each) ?? []);
    else links[field] = value === null ? null : resolve(value);
  }
}

function isList(value: MappedRecord['references'][string]): value is readonly Reference[] {
  return Array.isArray(value);
}

/** The finished parts of the new document, or null when it is the stored one. An undated change happened now. */
function finish(entity: Entity, each: Draft, publicUrl: string): string[] | null {
  const parts = renderParts(entity, each, publicUrl);
  if (each.before === null) return parts;
  if (joinParts(parts) === each.before.doc) return null;
  if (textOf(each.record.values._updatedAt) !== null) return parts;
  each.updatedAt = new Date().toISOString();
  return renderParts(entity, each, publicUrl);
}

/** What to log; null for a record that nobody could see, before or after. */
function changeOf(entity: Entity, { id, before, deletedAt }: Draft, parts: readonly string[]): Addition | null {
  const wasVisible = before !== null && !before.isDeleted;
  if (!wasVisible && deletedAt !== null) return null;
  const names = entity.fields.map(({ name }) => name);
  const fields = wasVisible ? (changedFields(before.doc, names, parts) ?? names) : [];
  const kind = deletedAt !== null ? 'deleted' : wasVisible ? 'updated' : 'created';
  return { entity: entity.name, id, kind, fields };
}
