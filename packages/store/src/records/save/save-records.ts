import { type Entity, type MappedRecord, recordAddress } from '@unified/contract';
import { v7 as newId } from 'uuid';
import { type Scope, sessionOf } from '../../access/scope.ts';
import { type Addition, changeStatements, lockChangeCursor, moveChangeCursor } from '../../changes/change-log.ts';
import { alongside } from '../../sql/alongside.ts';
import { toSent } from '../../sql/parameter.ts';
import type { BoundStatement } from '../../sql/statement.ts';
import { type FilteredCustomField, indexChanged } from '../custom/stored-custom-fields.ts';
import { type Existing, existing, identityOf } from './existing.ts';
import { linkRecord, resolveAll, withBatch } from './link-records.ts';
import { arrivalStatements, renameStatements, unresolvedStatements } from './note-stale.ts';
import { type Draft, textOf } from './record-draft.ts';
import { renderDocument, reviseDocument } from './render-document.ts';
import { linkStatements } from './save-links.ts';
import type { Target } from './targets.ts';
import { type Finished, prepareSave } from './upsert.ts';
import { DOCUMENT_BYTES, withinBudget } from './within-budget.ts';

/** Outcome of saving records. */
export interface Saved {
  readonly created: number;
  readonly updated: number;
  readonly deleted: number;
  readonly unchanged: number;
  /** Ids, in the order of the records given. */
  readonly ids: readonly string[];
}

export interface SaveOptions {
  /** The custom fields that have an index. */
  readonly indexed?: readonly FilteredCustomField[];
  /** Called while PostgreSQL stores the last records of each batch: for work of this process that needs no database. */
  readonly whileStoring?: (() => void) | undefined;
}

const BATCH = 1000;
/**
 * Number of records of a batch that the first statement stores. It is small, because PostgreSQL waits until they are rendered.
 */
const FIRST_AT_ONCE = 50;
/** Each further statement stores this many times as many records as all before it. */
const GROWTH = 4;

/**
 * Stores mapped records of one entity: keeps or assigns their ids, resolves their references, renders their documents
 * and logs changes. A record with an unchanged document costs one comparison. Of two records with the same `_source`
 * and `_idValue`, the later one is stored.
 */
export async function saveRecords(
  scope: Scope,
  entity: Entity,
  records: readonly MappedRecord[],
  { indexed = [], whileStoring }: SaveOptions = {},
): Promise<Saved> {
  return scope.transaction(async (inner) => {
    const begun = await lockChangeCursor(inner);
    let seq = begun;
    const total = { created: 0, updated: 0, deleted: 0, unchanged: 0 };
    const ids: string[] = [];
    for await (const { part, found } of batches(inner, entity, records)) {
      const batch = await saveBatch(inner, entity, part, found, { seq, whileStoring });
      await indexChanged(inner, entity, indexed, batch.changed);
      for (const { kind } of batch.changes) total[kind]++;
      total.unchanged += batch.unchanged;
      for (const id of batch.ids) ids.push(id);
      seq += batch.changes.length;
    }
    if (seq > begun) await moveChangeCursor(sessionOf(inner), scope.connectionId, seq);
    return { ...total, ids };
  });
}

/**
 * The records in batches, together with the stored ones: at most `BATCH` per batch, and fewer if their stored documents are
 * large.
 */
async function* batches(scope: Scope, entity: Entity, records: readonly MappedRecord[]) {
  for (let start = 0; start < records.length; start += BATCH) {
    const batch = records.slice(start, start + BATCH);
    yield* withinBudget(batch, DOCUMENT_BYTES, (part, budget) => existing(scope, entity, part, budget));
  }
}

/** How a batch is stored. */
interface BatchOptions extends Pick<SaveOptions, 'whileStoring'> {
  /** The last number that the change log has used. */
  readonly seq: number;
}

async function saveBatch(
  scope: Scope,
  entity: Entity,
  records: readonly MappedRecord[],
  stored: ReadonlyMap<string, Existing>,
  options: BatchOptions,
) {
  const places = new Map(records.map((record) => [identityOf(record), record]));
  const distinct = places.size === records.length ? records : [...places.values()];
  const { unlinked, link } = await begun(scope, entity, distinct, stored);
  const { drafts, finished, changes } = await store(scope, entity, unlinked, link, options);
  const idOf = new Map(drafts.map(({ record, id }) => [identityOf(record), id]));
  const ids = records.map((record) => idOf.get(identityOf(record)) ?? '');
  const changed = finished.map((each) => each.draft.id);
  return { changes, ids, changed, unchanged: records.length - changes.length };
}

/** A draft whose references have not been resolved. */
type Unlinked = Omit<Draft, 'values' | 'links' | 'unresolved'>;

/** The records of a batch that have been linked and rendered so far. */
interface Progress {
  readonly drafts: Draft[];
  /** The records that differ from the stored ones. */
  readonly finished: Finished[];
  readonly changes: Addition[];
}

/**
 * Links drafts, renders their documents, and stores those that changed, then their links, their changes, and which records must
 * be derived again. While PostgreSQL stores some of them, the next ones are linked and rendered.
 */
async function store(
  scope: Scope,
  entity: Entity,
  unlinked: readonly Unlinked[],
  link: (draft: Unlinked) => Draft,
  { seq, whileStoring }: BatchOptions,
): Promise<Progress> {
  const batch: Progress = { drafts: [], finished: [], changes: [] };
  const { drafts, finished, changes } = batch;
  const prepareNext = () => {
    const [from, done] = [drafts.length, finished.length];
    for (const each of unlinked.slice(from, from + (from === 0 ? FIRST_AT_ONCE : from * GROWTH)).map(link)) {
      drafts.push(each);
      const now = finish(entity, each, scope.publicUrl);
      if (now === null) continue;
      const change = changeOf(entity, each, now.changed);
      if (change) changes.push(change);
      finished.push({ draft: each, ...now, version: seq + changes.length });
    }
    return prepareSave(scope, entity, finished.slice(done));
  };
  let send = prepareNext();
  while (drafts.length < unlinked.length) [, send] = await alongside(send(), prepareNext);
  const [, following] = await alongside(send(), () => {
    whileStoring?.();
    return followingStatements(scope, entity, batch, seq);
  });
  await sessionOf(scope).runTogether(following);
  return batch;
}

/** The statements that store what belongs to a batch besides its records, with their values as they are sent. */
function followingStatements(scope: Scope, entity: Entity, batch: Progress, seq: number): BoundStatement[] {
  const { drafts, finished, changes } = batch;
  const saved = finished.map(({ draft }) => draft);
  const statements = [
    ...linkStatements(scope, entity, saved),
    ...changeStatements(scope, seq, changes),
    ...unresolvedStatements(scope, entity, drafts),
    ...arrivalStatements(scope, entity, finished),
    ...renameStatements(scope, entity, finished),
  ];
  return statements.map(({ statement, values }) => ({ statement, values: values.map(toSent) }));
}

/** Drafts of records, and a function that completes a draft with the targets of its references, which have been read. */
async function begun(
  scope: Scope,
  entity: Entity,
  records: readonly MappedRecord[],
  stored: ReadonlyMap<string, Existing>,
): Promise<{ unlinked: Unlinked[]; link: (draft: Unlinked) => Draft }> {
  const now = new Date().toISOString();
  const beginning = (record: MappedRecord) => {
    const draft = begin(record, stored.get(identityOf(record)) ?? null, now);
    return entity.holdsFile ? withAddress(draft, entity, scope.publicUrl) : draft;
  };
  const [resolveStored, unlinked] = await alongside(resolveAll(scope, entity, records), () => records.map(beginning));
  const living = () => unlinked.filter(({ deletedAt }) => deletedAt === null);
  const resolve = withBatch(resolveStored, entity, () => living().map((each) => targetOf(entity, each)));
  return { unlinked, link: (draft) => ({ ...draft, ...linkRecord(scope, entity, draft.record, resolve) }) };
}

function begin(record: MappedRecord, stored: Existing | null, now: string): Unlinked {
  const { values, _idValue } = record;
  const code = textOf(values.code) || _idValue;
  const given = { createdAt: textOf(values._createdAt), updatedAt: textOf(values._updatedAt) };
  const kept = stored && !(given.createdAt && given.updatedAt) ? timesOf(stored.doc) : null;
  return {
    record,
    id: stored?.id ?? newId(),
    before: stored,
    code,
    displayValue: textOf(values._displayValue) || textOf(values.name) || code,
    deletedAt: record.deletedAt ?? null,
    createdAt: given.createdAt ?? kept?._createdAt ?? now,
    updatedAt: given.updatedAt ?? kept?._updatedAt ?? now,
  };
}

/** A file without an address of its own is fetched at the address of its record. */
function withAddress(draft: Unlinked, { collection }: Entity, publicUrl: string): Unlinked {
  const { record, id } = draft;
  if (textOf(record.values.url) || !textOf(record.values.sha256)) return draft;
  const values = { ...record.values, url: recordAddress(publicUrl, collection, id) };
  return { ...draft, record: { ...record, values } };
}

function timesOf(doc: string): { _createdAt: string; _updatedAt: string } {
  return JSON.parse(doc);
}

function targetOf(entity: Entity, { record, id, code, displayValue }: Unlinked): Target {
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

/** A new document, and the names of the fields in which it differs from the stored one; null means any field. */
type Rendered = Pick<Finished, 'doc' | 'changed'>;

/** The new document, or null if it equals the stored one. A change without a date is dated now. */
function finish(entity: Entity, each: Draft, publicUrl: string): Rendered | null {
  const made = render(entity, each, publicUrl);
  if (each.before === null) return made;
  if (made.doc === each.before.doc) return null;
  if (textOf(each.record.values._updatedAt) !== null) return made;
  each.updatedAt = new Date().toISOString();
  return render(entity, each, publicUrl);
}

function render(entity: Entity, each: Draft, publicUrl: string): Rendered {
  const revision = each.before && reviseDocument(entity, each, each.before.doc, publicUrl);
  return revision ?? { doc: renderDocument(entity, each, publicUrl), changed: null };
}

/** The change to log; null for a record that was already deleted and still is. */
function changeOf(entity: Entity, { id, before, deletedAt }: Draft, changed: Rendered['changed']): Addition | null {
  const wasVisible = before !== null && !before.isDeleted;
  if (!wasVisible && deletedAt !== null) return null;
  const fields = wasVisible ? (changed ?? entity.fields.map(({ name }) => name)) : [];
  const kind = deletedAt !== null ? 'deleted' : wasVisible ? 'updated' : 'created';
  return { entity: entity.name, id, kind, fields };
}
