import type { ChangedPage, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { isKey, joinKey } from '../row-key.ts';
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
  /**
   * Path in a row of the list to the key of the deleted row, or the paths to its parts, in the order of the key of the stream.
   * Defaults to the names in that key.
   */
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

/** Where a pass continues among the reported rows. */
interface DeletedPlace {
  /** Key of the last row that was read. */
  readonly after: string;
  /** Keys of rows that the system did not return, while it is not certain that the user still has access. */
  readonly absent: readonly string[];
}

/** The place among the reported rows; undefined if a pass has not come to them yet. */
export function placeInDeleted(from: Json | null): DeletedPlace | undefined {
  if (!isObject(from) || typeof from.deletedAfter !== 'string') return undefined;
  const absent = Array.isArray(from.absent) ? from.absent.map(String) : [];
  return { after: from.deletedAfter, absent };
}

/** Which of the reported rows a page contains. */
interface DeletedRequest {
  readonly place: DeletedPlace;
  /** Mark of the pass. */
  readonly since: Json;
  readonly signal?: AbortSignal | undefined;
}

/**
 * A page of the rows that the system reports as deleted since a mark, and that it no longer has. A row that can still be read was
 * created again, or the list is about something else. If the system cannot be called any longer, the page ends there, and the next
 * one begins with the rows that were absent. They are not read again, so one that was created again with its key during a pause is
 * deleted until the next pass reads it.
 */
export async function deletedPage(
  { client, reader }: { readonly client: RestClient; readonly reader: ListReader },
  stream: Stream,
  { place, since, signal }: DeletedRequest,
): Promise<ChangedPage> {
  if (place.absent.length > 0) {
    await client.check();
    return { rows: [], deleted: place.absent, next: { deletedAfter: place.after } };
  }
  const reported = await reportedKeys(client, stream, { since, signal });
  const left = reported.filter((key) => key > place.after);
  const { deleted, last } = await missingOf(left.slice(0, MOST_READ), place.after, (key) =>
    reader.lacks(stream, key, signal),
  );
  const next = last === (left.at(-1) ?? place.after) ? null : { deletedAfter: last };
  if (deleted.length === 0) return { rows: [], deleted, next };
  try {
    // Some systems hide all rows from users who have lost their access.
    await client.check();
    return { rows: [], deleted, next };
  } catch (error) {
    if (!isPause(error)) throw error;
    return { rows: [], next: { deletedAfter: last, absent: deleted } };
  }
}

/**
 * The keys of missing rows, up to the last row that could be read before the system paused. `last` is its key, or `after` without
 * keys.
 */
async function missingOf(
  keys: readonly string[],
  after: string,
  lacks: (key: string) => Promise<boolean>,
): Promise<{ readonly deleted: readonly string[]; readonly last: string }> {
  const deleted: string[] = [];
  let last = after;
  for (const key of keys) {
    try {
      if (await lacks(key)) deleted.push(key);
    } catch (error) {
      if (last === after || !isPause(error)) throw error;
      break;
    }
    last = key;
  }
  return { deleted, last };
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

/** The key that a row of the list reports. @throws {SystemError} `invalid` if it has none that can be stored */
function keyIn(row: Row, names: Row, stream: Stream, { key: paths = stream.key }: DeletedOptions): string {
  const parts = [paths].flat().map((path) => {
    const value = Object.hasOwn(names, path) ? names[path] : valueAt(row, path);
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    const problem = `A row in the list of deleted rows of ${stream.name} has no "${path}"${instead(row)}`;
    throw new SystemError('invalid', `${problem}. Name the property with the key in "key" of "deleted"`);
  });
  const key = joinKey(parts);
  if (key !== '' && isKey(key)) return key;
  const problem = `A row in the list of deleted rows of ${stream.name} has a key`;
  throw new SystemError('invalid', `${problem} that is empty or too long, or not valid text`);
}
