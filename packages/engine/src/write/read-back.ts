import type { RawRow, Row, Stream } from '@unified/connectors';
import type { MappedRecord } from '@unified/contract';
import { targets } from '@unified/store';
import { streamOf } from '../model/streams.ts';
import type { HeldQueue } from './held-queue.ts';
import type { OpenWrite } from './open-write.ts';
import { targetFor } from './prepare-write.ts';
import { storedRecord } from './stored-record.ts';

/** Rows of one stream as they are after a write. */
export interface ReadRows {
  readonly stream: Stream;
  readonly rows: readonly RawRow[];
  readonly deleted: readonly string[];
}

/** Owned rows that are read back with their owner; the next sync brings what is beyond. */
const MOST = 100;
/** New records that are read back with the one that an action was done to. */
const MOST_MADE = 20;

/**
 * The row that a write produced or changed, null when it is gone; and what belongs to it, in the order in which it is to
 * be stored: the records that an action made, such as the order that comes of a quote, and the rows that the record owns,
 * such as lines.
 */
export async function readBack(
  queue: HeldQueue,
  write: OpenWrite,
  key: string,
): Promise<{ row: Row | null; others: ReadRows[] }> {
  const { stream, mapping } = targetFor(queue, write);
  const row = await queue.broker.run('write', () => queue.driver.read(stream, key));
  const record = row && mapping.read({ key, row });
  const made = write.op === 'action' ? await madeRows(queue, record) : [];
  const before = (await storedRecord(queue.scope, write.entity, write.targetId)) ?? {};
  const owned = await ownedRows(queue, write.entity, { record, before });
  return { row, others: [...made, ...owned] };
}

/** What a record points to now and this service does not have: other records, each after the rows that it owns. */
async function madeRows(queue: HeldQueue, record: MappedRecord | null): Promise<ReadRows[]> {
  const references = Object.values(record?.references ?? {}).flatMap((given) => given ?? []);
  const byKey = references.filter(({ by }) => by === '_idValue');
  const made: ReadRows[] = [];
  for (const { entity: name, value } of byKey) {
    if (made.length >= MOST_MADE) break;
    const entity = queue.scope.entities[name];
    const mapping = queue.platform.mappings[name];
    const stream = streamOf(queue.platform, name);
    if (!entity || !mapping || !stream || (await targets(queue.scope, entity, '_idValue', [value])).length > 0)
      continue;
    const read = await readAll(queue, stream, [value]);
    const [row] = read.rows;
    if (!row) continue;
    made.push(...(await ownedRows(queue, name, { record: mapping.read(row), before: {} })), read);
  }
  return made;
}

/** The rows that a record owned before or owns now. */
async function ownedRows(
  queue: HeldQueue,
  entity: string,
  { record, before }: { record: MappedRecord | null; before: Row },
): Promise<ReadRows[]> {
  const owned: ReadRows[] = [];
  for (const { field, ownedStream } of ownedBy(queue, entity)) {
    const keys = new Set([...keysBefore(before, field), ...keysNow(record, field)]);
    if (keys.size > 0) owned.push(await readAll(queue, ownedStream, [...keys].slice(0, MOST)));
  }
  return owned;
}

/** Relation lists of an entity whose records point back to it and are rows of another stream. */
function ownedBy({ scope, platform }: HeldQueue, name: string): { field: string; ownedStream: Stream }[] {
  const lists = scope.entities[name]?.fields.filter(({ kind }) => kind === 'relations') ?? [];
  return lists.flatMap(({ name: field, targets = [] }) =>
    targets.flatMap((target) => {
      const pointsBack = scope.entities[target]?.fields.some(
        ({ kind, targets: to }) => kind === 'relation' && to?.includes(name),
      );
      const ownedStream = streamOf(platform, target);
      const isOther = ownedStream && ownedStream.name !== platform.mappings[name]?.stream;
      return pointsBack && isOther ? [{ field, ownedStream }] : [];
    }),
  );
}

function keysBefore(before: Row, field: string): string[] {
  const links = (before[field] ?? []) as readonly { _idValue: string }[];
  return links.map(({ _idValue }) => _idValue);
}

function keysNow(record: MappedRecord | null, field: string): string[] {
  const references = [record?.references[field] ?? []].flat();
  return references.flatMap(({ by, value }) => (by === '_idValue' ? [value] : []));
}

async function readAll({ broker, driver }: HeldQueue, stream: Stream, keys: readonly string[]): Promise<ReadRows> {
  const found = await Promise.all(
    keys.map(async (key) => ({ key, row: await broker.run('write', () => driver.read(stream, key)) })),
  );
  const rows = found.flatMap(({ key, row }) => (row ? [{ key, row }] : []));
  return { stream, rows, deleted: found.flatMap(({ key, row }) => (row ? [] : [key])) };
}
