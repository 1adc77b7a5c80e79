import type { ChangedPage, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { joinKey } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { filled, urlOf } from './call-url.ts';
import { changedSince } from './changed-since.ts';
import { instead, isObject, rowsAt, valueAt } from './json-body.ts';
import type { ListReader } from './list-reader.ts';
import { counts } from './lists-in-rows.ts';
import { optionsOf } from './options.ts';
import { valuesOfParents } from './parent-values.ts';
import { isPause } from './pause.ts';
import type { RestClient } from './rest-client.ts';

/** The list in which a system reports rows that were deleted. */
export interface DeletedOptions {
  readonly address: string;
  readonly parameters: Readonly<Record<string, string | number | boolean>>;
  readonly rows: string;
  /** Where a row of the list has the key, or each part of it in the order of the key of the stream, whose names are the default. */
  readonly key?: string | readonly string[];
  readonly only?: Readonly<Record<string, readonly unknown[]>>;
  readonly days: number;
}

const DAY_MS = 86_400_000;

/** Maximum number of reported rows that are read per page, so that progress is stored regularly. */
const MOST_READ = 50;

/** Where a pass over changed rows continues after its last row; null if the stream has no list of deleted rows. */
export function beforeDeleted(stream: Stream): Json | null {
  return optionsOf(stream).deleted ? { deletedAfter: '' } : null;
}

/** The key after which reported rows are read; undefined if a pass has not come to them yet. */
export function deletedAfter(from: Json | null): string | undefined {
  return isObject(from) && typeof from.deletedAfter === 'string' ? from.deletedAfter : undefined;
}

/**
 * A page of the rows that the system reports as deleted since a mark, and that it no longer has. A row that can still be read was
 * created again, or the list is about something else. If the system cannot be called any longer, the page ends there.
 */
export async function deletedPage(
  { client, reader }: { readonly client: RestClient; readonly reader: ListReader },
  stream: Stream,
  { after, since, signal }: { readonly after: string; readonly since: Json; readonly signal?: AbortSignal | undefined },
): Promise<ChangedPage> {
  const reported = await reportedKeys(client, stream, { since, signal });
  const left = reported.filter((key) => key > after);
  const deleted: string[] = [];
  let last = after;
  for (const key of left.slice(0, MOST_READ)) {
    try {
      if (await reader.lacks(stream, key, signal)) deleted.push(key);
    } catch (error) {
      if (last === after || !isPause(error)) throw error;
      break;
    }
    last = key;
  }
  // Some systems hide all rows from users who have lost their access.
  if (deleted.length > 0) await client.check();
  return { rows: [], deleted, next: last === (left.at(-1) ?? after) ? null : { deletedAfter: last } };
}

/**
 * Keys of the rows that the system reports as deleted since a mark, or since the earliest time for which it reports them, in
 * order. None if the mark is older, or if the stream states no such list: full passes find them.
 */
export async function reportedKeys(
  client: RestClient,
  stream: Stream,
  { since, signal }: { readonly since?: Json; readonly signal?: AbortSignal | undefined } = {},
): Promise<readonly string[]> {
  const { deleted, changes, parents } = optionsOf(stream);
  if (!deleted) return [];
  const earliest = Math.floor(Date.now() - deleted.days * DAY_MS);
  const from = since === undefined ? new Date(earliest).toISOString() : String(since);
  if (Date.parse(from) < earliest) return [];
  const time = changedSince({ parameter: 'since', ...(changes?.format && { format: changes.format }) }, from);
  const keys = new Set<string>();
  for (const names of parents?.of ? valuesOfParents(parents) : [{}]) {
    const parameters = Object.fromEntries(
      Object.entries(deleted.parameters).map(([name, value]) => [
        name,
        filled(String(value), { ...time, ...names }, String),
      ]),
    );
    const response = await client.call({ url: urlOf(client.base, deleted.address, names, parameters), signal });
    const rows = rowsAt(client.json(response), filled(deleted.rows, names, String), true);
    for (const row of rows) if (counts(row, deleted)) keys.add(keyIn(row, names, stream, deleted));
  }
  return [...keys].sort();
}

/** The key that a row of the list reports. @throws {SystemError} `invalid` if it has none */
function keyIn(row: Row, names: Row, stream: Stream, { key: paths = stream.key }: DeletedOptions): string {
  const parts = [paths].flat().map((path) => {
    const value = Object.hasOwn(names, path) ? names[path] : valueAt(row, path);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    const problem = `A row in the list of deleted rows of ${stream.name} has no "${path}"${instead(row)}`;
    throw new SystemError('invalid', `${problem}. Name the property with the key in "key" of "deleted"`);
  });
  return joinKey(parts);
}
