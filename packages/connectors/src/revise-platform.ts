import { compileChecked, refuseUnable, singleKeysOf, unknownTouches } from './compile-checked.ts';
import { optionsProblems } from './driver-options.ts';
import { streamsProblems } from './load-platform.ts';
import { attempt, DefinitionError, type DefinitionProblem } from './mapping/definition-error.ts';
import type { CompiledMapping } from './mapping/mapping.ts';
import { type MappingChange, revisedDefinition } from './mapping/revised-definition.ts';
import type { BrokenMapping, Platform, Stream } from './platform.ts';
import { partsOf } from './protocol.ts';
import { protocols } from './protocols.ts';

/** A table of a connected system that a connection copies in addition to the streams of its platform. */
export interface CustomStream {
  /** Name as listed in the catalog of the system. */
  readonly name: string;
  readonly key: readonly string[];
  /** Column that increases with every change. Without it, all passes are full. */
  readonly cursor?: string | undefined;
}

/** A mapping that a connection uses instead of the one of its platform. */
export interface RevisedMapping {
  readonly entity: string;
  /** Name in messages. */
  readonly file: string;
  readonly change: MappingChange;
}

/** Number of rows that are read at a time. */
const PAGE_SIZE = 500;

/**
 * The platform with the streams and mappings of one connection. A mapping that cannot be used is listed in `broken`, as in a
 * platform. Streams also read the columns that these mappings name.
 */
export function revisePlatform(
  platform: Platform,
  custom: readonly CustomStream[],
  revised: readonly RevisedMapping[],
): Platform {
  const streams = [...platform.streams, ...customStreams(platform, custom)];
  const definitions = revised.map(({ entity, file, change }) => {
    const own = platform.mappings[entity]?.definition;
    return { entity, file, source: revisedDefinition(entity, own, change) };
  });
  const replaced = new Set(definitions.map(({ entity }) => entity));
  const kept = Object.values(platform.mappings).filter(({ entity }) => !replaced.has(entity));
  const contents = [...definitions.map(({ source }) => source), ...kept.map(({ definition }) => definition)];
  const singleKeys = singleKeysOf(contents, streams);
  const mappings = Object.fromEntries(
    kept.map((mapping) => [mapping.entity, keyedLike(platform, mapping, singleKeys, streams)]),
  );
  const broken = platform.broken.filter(({ entity }) => !replaced.has(entity));
  const changed = { ...platform, streams, mappings, broken };
  const known = new Set([...contents.map(({ entity }) => String(entity)), ...broken.map(({ entity }) => entity)]);
  for (const { entity, file, source } of definitions) {
    try {
      mappings[entity] = compileRevised(changed, { file, source, singleKeys, known });
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      const stream = typeof source.stream === 'string' ? source.stream : null;
      broken.push({ entity, stream, problems: error.problems } satisfies BrokenMapping);
    }
  }
  return { ...changed, streams: streams.map((stream) => readingAll(platform, stream, mappings, replaced)) };
}

interface Source {
  readonly file: string;
  readonly source: Readonly<Record<string, unknown>>;
  readonly singleKeys: ReadonlySet<string>;
  /** Entities with a mapping. */
  readonly known: ReadonlySet<string>;
}

/** Throws a `DefinitionError` with all errors. */
function compileRevised(platform: Platform, { file, source, singleKeys, known }: Source): CompiledMapping {
  const { streams, driver, options } = platform;
  const problems: DefinitionProblem[] = [];
  if (source.stream === undefined) {
    const message = `is missing, because the platform does not map ${source.entity}; send one of ${namesOf(streams)}`;
    problems.push({ file, field: 'stream', message });
  }
  const mapping = attempt(problems, () => compileChecked(file, source, { streams, singleKeys }));
  const stream = streams.find(({ name }) => name === mapping?.stream);
  const protocol = Object.hasOwn(protocols, driver) ? protocols[driver] : undefined;
  if (mapping && stream && protocol)
    attempt(problems, () => {
      const reason = protocol.withoutReason?.(options, stream.options);
      refuseUnable(file, mapping, driver, partsOf(protocol, options, stream), reason);
    });
  if (mapping) problems.push(...unknownTouches(file, mapping, known));
  const distinct = problems.filter(
    ({ field, message }, index) =>
      // The schema also reports a missing stream, without the names that exist.
      !(source.stream === undefined && message === "must have required property 'stream'") &&
      (field !== 'stream' || problems.findIndex((each) => each.field === field) === index),
  );
  if (!mapping || distinct.length > 0) throw new DefinitionError(distinct);
  return mapping;
}

function namesOf(streams: readonly Stream[]): string {
  return streams.map(({ name }) => name).join(', ');
}

/**
 * The unchanged mapping, or one that is compiled again because an entity that it refers to is now identified by fewer or more
 * columns.
 */
function keyedLike(
  platform: Platform,
  mapping: CompiledMapping,
  singleKeys: ReadonlySet<string>,
  streams: readonly Stream[],
): CompiledMapping {
  const definitions = Object.values(platform.mappings).map(({ definition }) => definition);
  const before = singleKeysOf(definitions, platform.streams);
  const changed = mapping.references.filter(({ entity }) => before.has(entity) !== singleKeys.has(entity));
  if (changed.length === 0) return mapping;
  return compileChecked(mapping.entity, mapping.definition, { streams, singleKeys });
}

/** The stream, changed so that it also reads the columns of the mappings of the connection. */
function readingAll(
  platform: Platform,
  stream: Stream,
  mappings: Readonly<Record<string, CompiledMapping>>,
  replaced: ReadonlySet<string>,
): Stream {
  const { driver } = platform;
  const tables = Object.hasOwn(protocols, driver) ? protocols[driver]?.tables : undefined;
  const reading = Object.values(mappings).filter(
    (mapping) => mapping.stream === stream.name && replaced.has(mapping.entity),
  );
  if (!tables || reading.length === 0) return stream;
  // Columns that the platform reads are already in its options, some under names that only its options define.
  const own = new Set(pathsOf(Object.values(platform.mappings).filter((each) => each.stream === stream.name)));
  const options = tables.also(
    stream.options,
    pathsOf(reading).filter((path) => !own.has(path)),
  );
  return options === stream.options ? stream : { ...stream, options };
}

function pathsOf(mappings: readonly CompiledMapping[]): string[] {
  return [...new Set(mappings.flatMap(({ paths }) => paths.map(({ path }) => path)))];
}

/** The streams of a connection, after those of its platform. */
function customStreams({ driver, streams }: Platform, custom: readonly CustomStream[]): Stream[] {
  const tables = Object.hasOwn(protocols, driver) ? protocols[driver]?.tables : undefined;
  return custom.map(({ name, key, cursor }, index) => ({
    name,
    key,
    order: streams.length + index,
    ...(cursor !== undefined && { cursor }),
    deletes: 'diff',
    pageSize: PAGE_SIZE,
    options: { ...tables?.whole },
    isCustom: true,
  }));
}

/** A stream that reads all columns of a table; undefined if the protocol of the platform needs options for it. */
export function tableStream(platform: Platform, table: CustomStream): Stream | undefined {
  const tables = Object.hasOwn(protocols, platform.driver) ? protocols[platform.driver]?.tables : undefined;
  return tables && customStreams(platform, [table])[0];
}

/** Why a connection of the platform cannot have these streams. `field` is the position in the list, such as `1.name`. */
export function customStreamProblems(platform: Platform, custom: readonly CustomStream[]): DefinitionProblem[] {
  const protocol = Object.hasOwn(protocols, platform.driver) ? protocols[platform.driver] : undefined;
  const problem = (field: string, message: string) => ({ file: '', field, message });
  if (!protocol?.tables) {
    const message = `a connection of ${platform.name} can have no streams of its own, because the driver "${platform.driver}" needs options for each`;
    return custom.length === 0 ? [] : [problem('', message)];
  }
  const own = platform.streams.map(({ name }) => name);
  const named = custom.flatMap(({ name }, index) => {
    if (own.includes(name))
      return [problem(`${index}.name`, `the platform already has a stream "${name}"; map that one`)];
    const isTwice = custom.findIndex((each) => each.name === name) < index;
    return isTwice ? [problem(`${index}.name`, `"${name}" is listed twice`)] : [];
  });
  const streams = customStreams(platform, custom);
  const revised = { ...platform, streams };
  const faults = [...streamsProblems(revised, protocol), ...optionsProblems(revised, protocol.options)];
  return [...named, ...faults.map(({ field, message }) => problem(field, message))];
}
