import type { PulledPage, PullRequest, RawRow, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { keyValues } from '../row-key.ts';
import { isObject } from './json-body.ts';
import type { ListReader } from './list-reader.ts';
import type { ParentOptions } from './options.ts';
import { withParentNames } from './parent-values.ts';
import { isPause } from './pause.ts';

/** Maximum number of calls per page, so that progress is stored regularly even if most parents have no rows. */
const MOST_CALLS = 50;

/** Maximum number of parents whose lists are read for a sample. */
const MOST_SAMPLED = 10;

/** Where a pass over the lists of parents continues. */
interface Place {
  /** Parents whose lists follow; the list of the first is continued at `list`. */
  readonly keys: readonly string[];
  readonly list: Json;
  /** Next page of parents; undefined if there is none. */
  readonly parents: Json | undefined;
}

/** Pulls a page of parents. */
type PullParents = (request: PullRequest) => Promise<PulledPage>;

/** The lists of all parents of a stream. */
export interface ParentLists {
  readonly stream: Stream;
  readonly as: ParentOptions['as'];
  readonly pullParents: PullParents;
  readonly parentsPerPage: number;
  /** Added to the parameters of each list. */
  readonly parameters?: Row;
}

/** The key of a parent, by its names in addresses. */
export function parentOf(as: ParentOptions['as'], key: string): Row {
  const names = [as].flat();
  return Object.fromEntries(keyValues(key, names).map((value, index) => [names[index], value]));
}

/**
 * One page of a pass over the lists of all parents, one after the other. If the system cannot be called any longer, the page ends
 * there, so that the pass continues with the same list: with limited calls per second, a whole page may never succeed.
 */
export async function pullOfParents(reader: ListReader, lists: ParentLists, request: PullRequest): Promise<PulledPage> {
  const { limit } = request;
  const rows: RawRow[] = [];
  let place: Place | null = placeOf(request.from);
  for (let calls = 0; place && calls < MOST_CALLS && rows.length < limit; calls += 1) {
    try {
      const step = await nextStep(reader, lists, place, request);
      rows.push(...step.rows);
      place = step.place;
    } catch (error) {
      if (calls === 0 || !isPause(error)) throw error;
      break;
    }
  }
  return { rows, next: place && nextOf(place) };
}

/**
 * Rows of the first list that has any, of at most ten parents: enough to see which properties rows have, without a call for each
 * parent.
 */
export async function sampleOfParents(
  reader: ListReader,
  lists: ParentLists,
  request: PullRequest,
): Promise<readonly RawRow[]> {
  let place: Place | null = placeOf(null);
  for (let calls = 0; place && calls <= MOST_SAMPLED; calls += 1) {
    const step = await nextStep(reader, lists, place, request);
    if (step.rows.length > 0) return step.rows;
    place = step.place;
  }
  return [];
}

/** Requests a page of the next list, or the next parents. */
async function nextStep(
  reader: ListReader,
  { stream, parentsPerPage, as, pullParents, parameters = {} }: ParentLists,
  place: Place,
  { limit, signal }: Omit<PullRequest, 'from'>,
): Promise<{ readonly rows: readonly RawRow[]; readonly place: Place | null }> {
  const [key] = place.keys;
  if (key === undefined) {
    const page = { stream, limit: parentsPerPage, ...(signal && { signal }) };
    return { rows: [], place: await nextParents(place, (from) => pullParents({ ...page, from })) };
  }
  const parent = withParentNames(stream, parentOf(as, key));
  // The same page size for all pages of a list: if pages are numbered, a different one would skip or repeat rows.
  const { rows, next } = await reader.page({ stream, parent, from: place.list, limit, signal, parameters });
  const keys = next === null ? place.keys.slice(1) : place.keys;
  const isLast = keys.length === 0 && place.parents === undefined;
  return { rows, place: isLast ? null : { ...place, list: next, keys } };
}

async function nextParents({ parents }: Place, pull: (from: Json) => Promise<PulledPage>): Promise<Place | null> {
  if (parents === undefined) return null;
  const { rows, next } = await pull(parents);
  const following = next ?? undefined;
  if (rows.length === 0 && following === undefined) return null;
  return { keys: rows.map(({ key }) => key), list: null, parents: following };
}

function nextOf({ keys, list, parents }: Place): Json {
  return { keys, list, parents: parents ?? null, more: parents !== undefined };
}

function placeOf(from: Json | null): Place {
  if (!isObject(from)) return { keys: [], list: null, parents: null };
  const keys = Array.isArray(from.keys) ? from.keys.map(String) : [];
  return { keys, list: (from.list ?? null) as Json, parents: from.more === true ? (from.parents as Json) : undefined };
}
