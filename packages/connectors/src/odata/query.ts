import { keyValues } from '../row-key.ts';
import { literal } from './literal.ts';
import { cursorsOf, listedKey, propertyOf, type Source } from './source.ts';

/** Query options of a request, by name without the `$`. */
export type QueryOptions = Readonly<Record<string, string | undefined>>;

/** The path with its query options; those without a value are left out. */
export function withQuery(path: string, options: QueryOptions): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined && value !== '');
  if (given.length === 0) return path;
  return `${path}?${given.map(([name, value]) => `$${name}=${encodeURIComponent(value ?? '')}`).join('&')}`;
}

/** `$select` and `$expand` of a stream. */
export function shapeOf(source: Source): QueryOptions {
  const { options, metadata, set, stream } = source;
  const { select, expand = [] } = options;
  const expanded = expandOf(expand, metadata.version);
  if (!select) return { expand: expanded };
  const columns = [...new Set([...stream.key, ...cursorsOf(source), ...select])];
  const existing = columns.filter((column) => set.type.properties.has(column));
  // V2 omits an expanded navigation unless it is selected as well.
  const selected = metadata.version === 2 ? [...existing, ...expand] : existing;
  return { select: selected.join(','), expand: expanded };
}

/** `$select` and `$expand` of a request for a list. */
export function listShapeOf(source: Source): QueryOptions {
  const { list } = source.listed;
  if (list === undefined) return shapeOf(source);
  const columns = [...new Set([...listedKey(source), ...cursorsOf(source)])];
  const { version } = source.metadata;
  const selected = version === 2 ? [...columns, list] : columns;
  const paths = [list, ...(source.options.expand ?? []).map((path) => `${list}/${path}`)];
  return { select: selected.join(','), expand: expandOf(paths, version) };
}

/** V2 lists whole paths; V4 puts the rest of a path in parentheses. */
function expandOf(paths: readonly string[], version: 2 | 4): string {
  if (version === 2) return paths.join(',');
  const byFirst = Map.groupBy(paths, (path) => path.split('/')[0] ?? '');
  const parts = [...byFirst].map(([first, all]) => {
    const below = all.map((path) => path.split('/').slice(1).join('/')).filter((rest) => rest !== '');
    return below.length === 0 ? first : `${first}($expand=${expandOf(below, version)})`;
  });
  return parts.join(',');
}

/** `$orderby` of the key. */
export function orderOf(source: Source): string {
  return listedKey(source)
    .map((column) => `${column} asc`)
    .join(',');
}

/** Entities of the listed set after a key in the order of `orderOf`: (A gt 1) or (A eq 1 and B gt 2). */
export function behind(source: Source, key: string): string {
  const { metadata, listed } = source;
  const columns = listedKey(source);
  const values = keyValues(key, columns).map((value, index) =>
    literal(value, propertyOf(listed, columns[index] ?? ''), metadata.version),
  );
  const branches = columns.map((column, index) => {
    const equal = columns.slice(0, index).map((each, place) => `${each} eq ${values[place]}`);
    return [...equal, `${column} gt ${values[index]}`].join(' and ');
  });
  return branches.map((branch) => `(${branch})`).join(' or ');
}

/** Conditions that must all be met. */
export function allOf(conditions: readonly (string | undefined)[]): string {
  const given = conditions.filter((each): each is string => each !== undefined && each !== '');
  return given.length === 1 ? (given[0] ?? '') : given.map((each) => `(${each})`).join(' and ');
}
