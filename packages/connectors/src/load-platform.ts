import { basename } from 'node:path';
import { optionsProblems } from './driver-options.ts';
import type { Json } from './json.ts';
import { loadMappings } from './load-mappings.ts';
import { attempt, DefinitionError, type DefinitionProblem, together } from './mapping/definition-error.ts';
import { shapeProblems } from './mapping/shape-problems.ts';
import { compiledOnUse } from './own-schema.ts';
import schema from './platform.schema.json' with { type: 'json' };
import type { DeleteDetection, Platform, Stream } from './platform.ts';
import { type PlatformFile, readYaml, yamlFiles } from './platform-files.ts';
import { type Protocol, partsOf } from './protocol.ts';
import { protocols } from './protocols.ts';
import { settingsOf } from './settings.ts';

interface StreamDefinition {
  readonly key?: string | readonly string[];
  readonly cursor?: string | null;
  readonly deletes?: DeleteDetection;
  readonly deleteLimit?: number | null;
  readonly pageSize?: number;
  readonly options?: Readonly<Record<string, Json>>;
}

type Streams = Readonly<Record<string, StreamDefinition | null>>;

interface PlatformDefinition {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly driver: string;
  readonly settings: Platform['settings'] & {
    readonly properties: Readonly<Record<string, { readonly writeOnly?: boolean }>>;
  };
  readonly identifiedBy?: readonly string[];
  readonly passthrough?: readonly string[];
  readonly defaults?: StreamDefinition;
  readonly streams?: Streams;
  readonly options?: Readonly<Record<string, Json>>;
}

const platformShape = compiledOnUse<PlatformDefinition>(schema);
const streamsShape = compiledOnUse<Streams>({ ...schema.$defs.streams, $defs: schema.$defs });

/**
 * Reads a platform folder: `platform.yaml`, `streams/*.yaml` and `mappings/*.yaml`, all checked, including against the
 * document and the parts of the protocol. A mapping that cannot be used is left out and listed in `broken`.
 *
 * @param known protocols that `driver` can name
 * @throws DefinitionError with all errors, including those of the mappings, if one of the other files cannot be used
 */
export function loadPlatform(folder: string, known: Readonly<Record<string, Protocol>> = protocols): Platform {
  const { definition, streams } = orWithMappings(folder, () => readDefinition(folder));
  const { id, name, description = '', driver, settings, identifiedBy, passthrough, options = {} } = definition;
  const secrets = Object.entries(settings.properties).filter(([, { writeOnly }]) => writeOnly);
  const protocol = orWithMappings(folder, () => protocolOf(folder, driver, known), streams);
  const platform: Platform = {
    id,
    name,
    description,
    driver,
    settings,
    ...(identifiedBy && { identifiedBy }),
    ...(passthrough && { passthrough }),
    streams,
    options,
    secrets: secrets.map(([property]) => property),
    ...loadMappings(folder, streams, { driver, partsOf: (stream) => partsOf(protocol, options, stream) }),
  };
  const problems = [
    ...streamsProblems(platform, protocol),
    ...identityProblems(platform),
    ...optionsProblems(platform, protocol.options),
  ];
  if (problems.length > 0) throw new DefinitionError([...problems, ...problemsIn(platform)]);
  return platform;
}

/** Runs a step that the platform requires. Its errors are thrown together with those of the mappings. */
function orWithMappings<T>(folder: string, step: () => T, streams?: readonly Stream[]): T {
  const problems: DefinitionProblem[] = [];
  const done = attempt(problems, step);
  if (done !== undefined) return done;
  throw new DefinitionError([...problems, ...problemsIn(loadMappings(folder, streams))]);
}

function problemsIn({ broken }: Pick<Platform, 'broken'>): DefinitionProblem[] {
  return broken.flatMap(({ problems }) => problems);
}

function protocolOf(folder: string, driver: string, known: Readonly<Record<string, Protocol>>): Protocol {
  const protocol = Object.hasOwn(known, driver) ? known[driver] : undefined;
  if (protocol) return protocol;
  const message = `there is no driver "${driver}"; there are ${Object.keys(known).join(', ')}`;
  throw new DefinitionError([{ file: `${basename(folder)}/platform.yaml`, field: 'driver', message }]);
}

/** A stream cannot read changes or deletes that its protocol does not report. */
export function streamsProblems(
  { id, driver, streams }: Platform,
  { parts, nativeDeletes }: Protocol,
): DefinitionProblem[] {
  const problem = (stream: Stream, field: string, message: string): DefinitionProblem => {
    return { file: `${id}/platform.yaml`, field: `streams.${stream.name}.${field}`, message };
  };
  return streams.flatMap((stream) => [
    ...(stream.cursor === undefined || parts.changes
      ? []
      : [problem(stream, 'cursor', `the driver "${driver}" does not read changes, only full passes`)]),
    ...(stream.deletes !== 'native' || nativeDeletes
      ? []
      : [problem(stream, 'deletes', `the driver "${driver}" does not report deletes; use diff or none`)]),
  ]);
}

/** Without settings that identify it, every connection would be to one and the same system. */
function identityProblems({ id, settings, identifiedBy }: Platform): DefinitionProblem[] {
  const isIdentified = [...settingsOf({ settings }).values()].some(({ format }) => format === 'uri');
  if (identifiedBy || isIdentified) return [];
  const message =
    'is missing, and no setting has `format: uri`; name the settings that identify a system, such as [url]';
  return [{ file: `${id}/platform.yaml`, field: 'identifiedBy', message }];
}

function readDefinition(folder: string): { definition: PlatformDefinition; streams: Stream[] } {
  const main: PlatformDefinition[] = [];
  const more: { file: string; streams: Streams }[] = [];
  together([
    () => void main.push(readPlatform(readYaml(folder, 'platform.yaml'))),
    ...yamlFiles(folder, 'streams').map((path) => () => {
      const read = readYaml(folder, path);
      more.push({ file: read.file, streams: readStreams(read) });
    }),
  ]);
  const [definition] = main;
  if (!definition) throw new Error(`${folder} was not read.`);
  const streams = new Map(Object.entries(definition.streams ?? {}));
  const problems: DefinitionProblem[] = [];
  for (const { file, streams: own } of more) {
    for (const [name, stream] of Object.entries(own)) {
      if (streams.has(name)) problems.push({ file, field: name, message: `there is already a stream "${name}"` });
      streams.set(name, stream);
    }
  }
  if (problems.length > 0) throw new DefinitionError(problems);
  return {
    definition,
    streams: [...streams].map(([name, own], order) => streamOf(name, order, { ...definition.defaults, ...own })),
  };
}

function readPlatform({ file, content }: PlatformFile): PlatformDefinition {
  const isPlatform = platformShape();
  if (isPlatform(content)) return content;
  throw new DefinitionError(shapeProblems(file, isPlatform.errors ?? []));
}

function readStreams({ file, content }: PlatformFile): Streams {
  const isStreams = streamsShape();
  if (isStreams(content)) return content;
  throw new DefinitionError(shapeProblems(file, isStreams.errors ?? []));
}

function streamOf(name: string, order: number, definition: StreamDefinition): Stream {
  const { key = 'id', cursor, deletes = 'none', deleteLimit, pageSize = 500, options = {} } = definition;
  return {
    name,
    key: typeof key === 'string' ? [key] : key,
    order,
    ...(cursor && { cursor }),
    deletes,
    ...(deleteLimit !== undefined && { deleteLimit }),
    pageSize,
    options,
  };
}
