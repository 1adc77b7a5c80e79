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
 * @throws {SystemError} `rejected` with every name that the service lacks, and the option that contains it. A missing set is not
 *   treated as an empty stream: its records would be deleted if a user lost access to it.
 */
export async function sourceOf(session: ODataSession, stream: Stream): Promise<Source> {
  const metadata = await session.metadata();
  const options = odataOptions.stream(stream);
  const { within } = options;
  const set = setOf(
    metadata,
    options.set ?? stream.name,
    options.set === undefined ? 'the name of the stream' : 'the option "set"',
  );
  const listed = within ? { set: setOf(metadata, within.set, 'the option "within"'), list: within.list } : { set };
  const source = { stream, options, metadata, set, listed };
  const missing = missingNames(source);
  if (missing.length === 0) return source;
  throw new SystemError('rejected', `The service has no ${missing.join(', and no ')}`);
}

/** Names that the service does not have, with their set and the option that contains them: `Total in Orders ("match")`. */
function missingNames({ stream, options, metadata, set, listed }: Source): string[] {
  const { key, cursor } = stream;
  const { marker, match, expand, changedBy } = options;
  const named = (option: string, each: EntitySet, names: readonly string[]) =>
    names.length === 0 ? [] : [`${names.join(', ')} in ${each.name} ("${option}")`];
  const properties = (option: string, each: EntitySet, names: readonly string[] = []) =>
    named(
      option,
      each,
      names.filter((name) => !each.type.properties.has(name)),
    );
  const paths = (option: string, each: EntitySet, names: readonly string[] = []) =>
    named(
      option,
      each,
      names.filter((path) => !leads(metadata, each, path)),
    );
  return [
    ...properties('key', set, key),
    ...properties('match', set, match),
    ...properties('marker', set, marker === undefined ? [] : [marker]),
    ...paths('expand', set, expand),
    ...properties('cursor', listed.set, cursor === undefined ? [] : [cursor]),
    ...properties('changedBy', listed.set, cursor === undefined ? [] : changedBy),
    ...paths('within', listed.set, listed.list === undefined ? [] : [listed.list]),
  ];
}

function setOf({ sets }: Metadata, name: string, source: string): EntitySet {
  const set = sets.get(name);
  if (set) return set;
  throw new SystemError(
    'rejected',
    `The service has no entity set ${name}, or its user may not read it. Check ${source}`,
  );
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
