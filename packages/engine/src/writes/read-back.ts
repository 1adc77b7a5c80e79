import type { RawRow, Row, Stream } from '@unified/connectors';
import type { MappedRecord } from '@unified/contract';
import { find } from '@unified/store';
import type { Lane } from '../lanes/lane.ts';
import { placeOf } from './prepare-write.ts';
import type { OpenWrite } from './write.ts';

/** Rows of one stream as they are after a write. */
export interface ReadRows {
  readonly stream: Stream;
  readonly rows: readonly RawRow[];
  readonly deleted: readonly string[];
}

/** Owned rows that are read back with their owner; the next sync brings what is beyond. */
const MOST = 100;

/** The row that a write produced or changed, null when it is gone, and before it the rows that it owns, such as lines. */
export async function readBack(
  lane: Lane,
  write: OpenWrite,
  key: string,
): Promise<{ row: Row | null; owned: ReadRows[] }> {
  const { stream, mapping } = placeOf(lane, write);
  const row = await lane.broker.run('write', () => lane.driver.read(stream, key));
  const record = row && mapping.read({ key, row });
  const owned: ReadRows[] = [];
  for (const { field, place } of ownedBy(lane, write.entity)) {
    const keys = new Set([...(await keysBefore(lane, write, field)), ...keysNow(record, field)]);
    if (keys.size > 0) owned.push(await readAll(lane, place, [...keys].slice(0, MOST)));
  }
  return { row, owned };
}

/** Lists of an entity whose records point back to it, where they are rows of another stream. */
function ownedBy({ scope, platform }: Lane, name: string): { field: string; place: Stream }[] {
  const lists = scope.entities[name]?.fields.filter(({ kind }) => kind === 'relations') ?? [];
  return lists.flatMap(({ name: field, targets = [] }) =>
    targets.flatMap((target) => {
      const pointsBack = scope.entities[target]?.fields.some(
        ({ kind, targets: to }) => kind === 'relation' && to?.includes(name),
      );
      const place = platform.streams.find((stream) => stream.name === platform.mappings[target]?.stream);
      return pointsBack && place && place.name !== platform.mappings[name]?.stream ? [{ field, place }] : [];
    }),
  );
}

async function keysBefore({ scope }: Lane, { entity: name, targetId }: OpenWrite, field: string): Promise<string[]> {
  const entity = scope.entities[name];
  const doc = entity && targetId !== null ? await find(scope, entity, targetId) : undefined;
  const links: readonly { _idValue: string }[] = doc === undefined ? [] : (JSON.parse(doc)[field] ?? []);
  return links.map(({ _idValue }) => _idValue);
}

function keysNow(record: MappedRecord | null, field: string): string[] {
  const references = [record?.references[field] ?? []].flat();
  return references.flatMap(({ by, value }) => (by === '_idValue' ? [value] : []));
}

async function readAll({ broker, driver }: Lane, stream: Stream, keys: readonly string[]): Promise<ReadRows> {
  const found = await Promise.all(
    keys.map(async (key) => ({ key, row: await broker.run('write', () => driver.read(stream, key)) })),
  );
  const rows = found.flatMap(({ key, row }) => (row ? [{ key, row }] : []));
  return { stream, rows, deleted: found.flatMap(({ key, row }) => (row ? [] : [key])) };
}
