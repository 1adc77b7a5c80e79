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
  const name = options.set ?? stream.name;
  const set = metadata.sets.get(name);
  if (!set) throw new SystemError('rejected', `The service has no entity set ${name}, or its user may not read it`);
  const source = { stream, options, metadata, set };
  const { marker } = options;
  const named = [...stream.key, ...cursorsOf(source), ...(marker === undefined ? [] : [marker])];
  const columns = named.filter((column) => !set.type.properties.has(column));
  const paths = (options.expand ?? []).filter((path) => !leads(source, path));
  const missing = [...columns, ...paths];
  if (missing.length === 0) return source;
  throw new SystemError('rejected', `The service has no ${missing.join(', ')} in ${name}`);
}

/** Properties that contain the date of the last change. */
export function cursorsOf({ stream: { cursor }, options }: Pick<Source, 'stream' | 'options'>): readonly string[] {
  return cursor === undefined ? [] : [cursor, ...(options.changedBy ?? [])];
}

/** A property that is known to exist. */
export function propertyOf({ set }: Pick<Source, 'set'>, name: string): EdmProperty {
  const property = set.type.properties.get(name);
  if (!property) throw new SystemError('rejected', `The service has no ${name} in ${set.name}`);
  return property;
}

/** The part of the address that names one entity. */
export function pathOfRow({ stream, set, metadata }: Source, key: string): string {
  return entityPath(set.name, set.type, stream.key, keyValues(key, stream.key), metadata.version);
}

function leads({ metadata, set }: Pick<Source, 'metadata' | 'set'>, path: string): boolean {
  let type = metadata.types.get(set.type.name);
  for (const name of path.split('/')) {
    const target = type?.navigations.get(name)?.target;
    type = target === undefined ? undefined : metadata.types.get(target);
  }
  return type !== undefined;
}
