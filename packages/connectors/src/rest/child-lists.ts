import type { PulledPage, PullRequest, RawRow, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { keyValues } from '../row-key.ts';
import { isObject } from './json-body.ts';
import type { ListReader } from './list-reader.ts';
import type { ParentOptions } from './options.ts';
import { withParentNames } from './parent-values.ts';

/** Maximum number of calls per page, so that progress is stored regularly even if most parents have no rows. */
const MOST_CALLS = 50;

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

/** One page of a pass over the lists of all parents, one after the other. */
export async function pullOfParents(
  reader: ListReader,
  { stream, parentsPerPage, as, pullParents, parameters = {} }: ParentLists,
  { from, limit, signal }: PullRequest,
): Promise<PulledPage> {
  const rows: RawRow[] = [];
  let place: Place | null = placeOf(from);
  for (let calls = 0; place && calls < MOST_CALLS && rows.length < limit; calls += 1) {
    const [key] = place.keys;
    if (key === undefined) {
      place = await nextParents(place, (page) =>
        pullParents({ stream, limit: parentsPerPage, from: page, ...(signal && { signal }) }),
      );
      continue;
    }
    // The same page size for all pages of a list: if pages are numbered, a different one would skip or repeat rows.
    const request = {
      stream,
      parent: withParentNames(stream, parentOf(as, key)),
      from: place.list,
      limit,
      signal,
      parameters,
    };
    const page = await reader.page(request);
    rows.push(...page.rows);
    place = { ...place, list: page.next, keys: page.next === null ? place.keys.slice(1) : place.keys };
    if (place.keys.length === 0 && place.parents === undefined) place = null;
  }
  return {
    rows,
    next: place && {
      keys: place.keys,
      list: place.list,
      parents: place.parents ?? null,
      more: place.parents !== undefined,
    },
  };
}

async function nextParents({ parents }: Place, pull: (from: Json) => Promise<PulledPage>): Promise<Place | null> {
  if (parents === undefined) return null;
  const { rows, next } = await pull(parents);
  const following = next ?? undefined;
  if (rows.length === 0 && following === undefined) return null;
  return { keys: rows.map(({ key }) => key), list: null, parents: following };
}

function placeOf(from: Json | null): Place {
  if (!isObject(from)) return { keys: [], list: null, parents: null };
  const keys = Array.isArray(from.keys) ? from.keys.map(String) : [];
  return { keys, list: (from.list ?? null) as Json, parents: from.more === true ? (from.parents as Json) : undefined };
}
