import type { Stream } from '../platform.ts';
import { keyValues } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { entityPath } from './literal.ts';
import type { EdmProperty, EntitySet, Metadata } from './metadata/metadata.ts';
import type { ODataSession } from './odata-session.ts';
import { odataOptions, type StreamOptions } from './options.ts';

/** A stream with the entity set and metadata of the service. */
export interface Source {
  readonly stream: Stream;
  readonly options: StreamOptions;
  readonly metadata: Metadata;
  readonly set: EntitySet;
  /** The set that lists are requested from: `set`, or the one whose entities contain the rows in `list`. */
  readonly listed: { readonly set: EntitySet; readonly list?: string };
}

/**
 * Finds the entity set that a stream reads.
 *
 * @throws {SystemError} `rejected` with every name that the service lacks. A missing set is not treated as an empty stream: its
 *   records would be deleted if a user lost access to it.
 */
export async function sourceOf(session: ODataSession, stream: Stream): Promise<Source> {
  const metadata = await session.metadata();
  const options = odataOptions.stream(stream);
  const { marker, match = [], within } = options;
  const set = setOf(metadata, options.set ?? stream.name);
  const listed = within ? { set: setOf(metadata, within.set), list: within.list } : { set };
  const source = { stream, options, metadata, set, listed };
  const named = [...stream.key, ...match, ...(marker === undefined ? [] : [marker])];
  const columnsIn = (each: EntitySet, names: readonly string[]) =>
    names.filter((column) => !each.type.properties.has(column));
  const pathsIn = (each: EntitySet, paths: readonly string[]) => paths.filter((path) => !leads(metadata, each, path));
  const own = [...columnsIn(set, named), ...pathsIn(set, options.expand ?? [])];
  const outer = [...columnsIn(listed.set, cursorsOf(source)), ...pathsIn(listed.set, within ? [within.list] : [])];
  const missing = within ? [inSet(own, set), inSet(outer, listed.set)].flat() : inSet([...own, ...outer], set);
  if (missing.length === 0) return source;
  throw new SystemError('rejected', `The service has no ${missing.join(', and no ')}`);
}

function inSet(names: readonly string[], { name }: EntitySet): string[] {
  return names.length === 0 ? [] : [`${names.join(', ')} in ${name}`];
}

function setOf({ sets }: Metadata, name: string): EntitySet {
  const set = sets.get(name);
  if (set) return set;
  throw new SystemError('rejected', `The service has no entity set ${name}, or its user may not read it`);
}

/** Properties that contain the date of the last change. */
export function cursorsOf({ stream: { cursor }, options }: Pick<Source, 'stream' | 'options'>): readonly string[] {
  return cursor === undefined ? [] : [cursor, ...(options.changedBy ?? [])];
}

/** A property of the rows that is known to exist. */
export function propertyOf({ set }: Pick<Source, 'set'>, name: string): EdmProperty {
  const property = set.type.properties.get(name);
  if (!property) throw new SystemError('rejected', `The service has no ${name} in ${set.name}`);
  return property;
}

/** Key properties of the set that lists are requested from. */
export function listedKey({ stream, set, listed }: Pick<Source, 'stream' | 'set' | 'listed'>): readonly string[] {
  return listed.set === set ? stream.key : listed.set.type.key;
}

/** The part of the address that names one entity. */
export function pathOfRow({ stream, set, metadata }: Source, key: string): string {
  return entityPath(set.name, set.type, stream.key, keyValues(key, stream.key), metadata.version);
}

function leads(metadata: Metadata, set: EntitySet, path: string): boolean {
  let type = metadata.types.get(set.type.name);
  for (const name of path.split('/')) {
    const target = type?.navigations.get(name)?.target;
    type = target === undefined ? undefined : metadata.types.get(target);
  }
  return type !== undefined;
}
