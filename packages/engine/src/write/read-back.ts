import type { Row, Stream } from '@unified/connectors';
import type { Field, MappedRecord } from '@unified/contract';
import { LockLost, targets } from '@unified/store';
import { streamOf } from '../model/connection-model.ts';
import type { ObservedRows } from '../records/store-rows.ts';
import { type HeldQueue, type OpenWrite, storedRecord } from './open-write.ts';
import { mappingFor } from './prepare-write.ts';
import { beginStep, endStep } from './write-steps.ts';

/** Rows of one stream in their state after a write. */
export interface ReadRows extends ObservedRows {
  readonly stream: Stream;
}

/**
 * Maximum number of records that a write did not link and probably did not change, but that are read with the record. The next
 * sync reads the rest.
 */
const MOST_UNCHANGED = 100;
/** Maximum number of new records that are read back with the record to which an action was applied. */
const MOST_MADE = 20;

/** What the connected system shows after a write. */
export interface ReadBack {
  /** The row that the write created or changed; null if it is gone. */
  readonly row: Row | null;
  /** The row as a record; null if it is not a record of the entity. */
  readonly record: MappedRecord | null;
  readonly others: readonly ReadRows[];
}

/**
 * Reads the row that a write created or changed and related rows, in the order in which they must be stored: records that an
 * action created, such as the order of a quote, and records that point back to this one, such as its lines.
 */
export async function readBack(queue: HeldQueue, write: OpenWrite, key: string): Promise<ReadBack> {
  const { row, record, before } = await rowNow(queue, write, key);
  const made = write.op === 'action' ? await madeRows(queue, record) : [];
  const linkedBack = await linkedBackRows(queue, write.entity, { record, before, sent: write.body });
  return { row, record, others: [...made, ...linkedBack] };
}

/** A row as it is now, as a record, and the values of the record that is stored. */
async function rowNow(queue: HeldQueue, write: OpenWrite, key: string) {
  const { stream, mapping } = mappingFor(queue.model, write);
  const row = await queue.quota.run('write', () => queue.driver.read(stream, key));
  const before = (await storedRecord(queue.scope, write.entity, write.targetId)) ?? {};
  return { row, record: row && mapping.read({ key, row }), before };
}

/** Records that a record points to and that are not stored yet; each comes after the records that point back to it. */
async function madeRows(queue: HeldQueue, record: MappedRecord | null): Promise<ReadRows[]> {
  const references = Object.values(record?.references ?? {}).flatMap((given) => given ?? []);
  const byKey = references.filter(({ by }) => by === '_idValue');
  const made: ReadRows[] = [];
  for (const { entity: name, value } of byKey) {
    if (made.length >= MOST_MADE) break;
    const entity = queue.scope.entities[name];
    const mapping = queue.model.mappings[name];
    const stream = streamOf(queue.model, name);
    if (!entity || !mapping || !stream || (await targets(queue.scope, entity, '_idValue', [value])).length > 0)
      continue;
    const read = await readAll(queue, stream, [value]);
    const [row] = read.rows;
    if (!row) continue;
    made.push(...(await linkedBackRows(queue, name, { record: mapping.read(row), before: {}, sent: {} })), read);
  }
  return made;
}

/** The records that point back to a record, or did so before. */
async function linkedBackRows(
  queue: HeldQueue,
  entity: string,
  { record, before, sent }: { record: MappedRecord | null; before: Row; sent: Row },
  mostUnchanged = MOST_UNCHANGED,
): Promise<ReadRows[]> {
  const linkedBack: ReadRows[] = [];
  for (const { field, stream } of linksBack(queue, entity)) {
    const earlier = keysBefore(before, field);
    const now = keysNow(record, field);
    const kept = [...now].filter((key) => earlier.has(key));
    // A list contains only stored records: a client that sends it back without some of its lines would delete these lines.
    const changed = [...new Set([...now, ...earlier])].filter((key) => !now.has(key) || !earlier.has(key));
    const keys = [...changed, ...(field in sent ? kept : kept.slice(0, mostUnchanged))];
    if (keys.length > 0) linkedBack.push(await readAll(queue, stream, keys));
  }
  return linkedBack;
}

/**
 * Relations of an entity whose records point back to it and are rows of another stream: lists, and single relations that only
 * the connected system sets, such as the vendor record of a partner.
 */
function linksBack({ scope, model }: HeldQueue, name: string): { field: string; stream: Stream }[] {
  const isLinkedBack = ({ kind, writable }: Field) => kind === 'relations' || (kind === 'relation' && !writable);
  const relations = scope.entities[name]?.fields.filter(isLinkedBack) ?? [];
  return relations.flatMap(({ name: field, targets = [] }) =>
    targets.flatMap((target) => {
      const pointsBack = scope.entities[target]?.fields.some(
        ({ kind, targets: to }) => kind === 'relation' && to?.includes(name),
      );
      const stream = streamOf(model, target);
      const isOther = stream && stream.name !== model.mappings[name]?.stream;
      return pointsBack && isOther ? [{ field, stream }] : [];
    }),
  );
}

/** A reference in a stored record. */
interface StoredReference {
  readonly _idValue: string;
}

function keysBefore(before: Row, field: string): Set<string> {
  const links = before[field] as StoredReference | readonly StoredReference[] | null | undefined;
  return new Set([links ?? []].flat().map(({ _idValue }) => _idValue));
}

function keysNow(record: MappedRecord | null, field: string): Set<string> {
  const references = [record?.references[field] ?? []].flat();
  return new Set(references.flatMap(({ by, value }) => (by === '_idValue' ? [value] : [])));
}

async function readAll({ quota, driver }: HeldQueue, stream: Stream, keys: readonly string[]): Promise<ReadRows> {
  const found = await Promise.all(
    keys.map(async (key) => ({ key, row: await quota.run('write', () => driver.read(stream, key)) })),
  );
  const rows = found.flatMap(({ key, row }) => (row ? [{ key, row }] : []));
  return { stream, rows, deleted: found.flatMap(({ key, row }) => (row ? [] : [key])) };
}

/**
 * Reads a record again after the connected system refused to change it, since the stored record is then often outdated. Records
 * that no longer point back to it, or that do so now, such as lines that another user has added, are read first. Undefined if
 * there is no record yet, or if it cannot be read; the write has failed either way, and the next sync updates the record.
 */
export async function readRefused(queue: HeldQueue, write: OpenWrite): Promise<readonly ReadRows[] | undefined> {
  const { targetKey: key, entity, writeId } = write;
  if (key === null) return undefined;
  const { stream } = mappingFor(queue.model, write);
  const step = beginStep(write.steps, { kind: 'read', entity, vendorObject: stream.name, vendorId: key });
  try {
    const { row, record, before } = await rowNow(queue, write, key);
    const others = await linkedBackRows(queue, entity, { record, before, sent: {} }, 0);
    endStep(step, 'succeeded');
    return [...others, { stream, rows: row ? [{ key, row }] : [], deleted: row ? [] : [key] }];
  } catch (error) {
    if (error instanceof LockLost) throw error;
    endStep(step, 'failed', error);
    queue.log.warn({ err: error, writeId }, 'record of a refused write could not be read again');
    return undefined;
  }
}
