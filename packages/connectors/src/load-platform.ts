import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Entity, entityOf } from '@unified/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { load } from 'js-yaml';
import type { Json } from './json.ts';
import { compileMapping } from './mapping/compile.ts';
import type { CompiledMapping } from './mapping/mapping.ts';
import { DefinitionError } from './mapping/place.ts';
import schema from './platform.schema.json' with { type: 'json' };
import type { DeleteDetection, Platform, Stream } from './platform.ts';

interface StreamDefinition {
  readonly key?: string | readonly string[];
  readonly cursor?: string | null;
  readonly deletes?: DeleteDetection;
  readonly pageSize?: number;
  readonly options?: Readonly<Record<string, Json>>;
}

interface PlatformDefinition {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly driver: string;
  readonly settings: Platform['settings'] & {
    readonly properties: Readonly<Record<string, { readonly writeOnly?: boolean }>>;
  };
  readonly defaults?: StreamDefinition;
  readonly streams: Readonly<Record<string, StreamDefinition | null>>;
  readonly options?: Readonly<Record<string, Json>>;
}

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });
const isPlatform = ajv.compile<PlatformDefinition>(schema);
const isStreams = ajv.compile<PlatformDefinition['streams']>({ $ref: `${schema.$id}#/$defs/streams` });

/**
 * Reads a platform folder: `platform.yaml`, `streams/*.yaml` and `mappings/*.yaml`, all checked, against the document too.
 *
 * @throws DefinitionError that names the file and what is wrong in it
 */
export function loadPlatform(folder: string): Platform {
  const file = join(folder, 'platform.yaml');
  const definition: unknown = yaml(file);
  if (!isPlatform(definition))
    throw new DefinitionError(`${file}: ${ajv.errorsText(isPlatform.errors, { dataVar: '' })}`);
  const { id, name, description = '', driver, settings, options = {} } = definition;
  const streams = streamsOf(definition.streams, folder).map(([stream, own], order) =>
    streamOf(stream, order, { ...definition.defaults, ...own }),
  );
  const secrets = Object.entries(settings.properties).filter(([, { writeOnly }]) => writeOnly);
  return {
    id,
    name,
    description,
    driver,
    settings,
    secrets: secrets.map(([property]) => property),
    streams,
    mappings: loadMappings(join(folder, 'mappings'), streams),
    options,
  };
}

/** Streams of the platform and, in the order of their names, of the files beside it. */
function streamsOf(own: PlatformDefinition['streams'], folder: string): [string, StreamDefinition | null][] {
  const streams = new Map(Object.entries(own));
  for (const file of yamlFiles(join(folder, 'streams'))) {
    const more: unknown = yaml(file);
    if (!isStreams(more)) throw new DefinitionError(`${file}: ${ajv.errorsText(isStreams.errors, { dataVar: '' })}`);
    for (const [name, stream] of Object.entries(more)) {
      if (streams.has(name)) throw new DefinitionError(`${file}: there is a stream "${name}" already`);
      streams.set(name, stream);
    }
  }
  return [...streams];
}

function streamOf(name: string, order: number, definition: StreamDefinition): Stream {
  const { key = 'id', cursor, deletes = 'none', pageSize = 500, options = {} } = definition;
  return {
    name,
    key: typeof key === 'string' ? [key] : key,
    order,
    ...(cursor && { cursor }),
    deletes,
    pageSize,
    options,
  };
}

function loadMappings(folder: string, streams: readonly Stream[]): Record<string, CompiledMapping> {
  const mappings: Record<string, CompiledMapping> = {};
  for (const file of yamlFiles(folder)) {
    const source: unknown = yaml(file);
    const entity = entityOf(entityNameOf(source));
    const mapping = compileMapping(source, { file, ...(entity && { entity }) });
    if (!entity) throw new DefinitionError(`${file}: entity: the document knows no ${mapping.entity}`);
    if (entity.view) throw new DefinitionError(`${file}: entity: ${viewProblem(entity)}`);
    if (mappings[mapping.entity]) throw new DefinitionError(`${file}: ${mapping.entity} has a mapping already`);
    if (!streams.some((stream) => stream.name === mapping.stream)) {
      throw new DefinitionError(`${file}: stream: the platform has no stream "${mapping.stream}"`);
    }
    mappings[mapping.entity] = mapping;
  }
  checkTouches(mappings, folder);
  return mappings;
}

/** What an action touches is read again by its mapping, so it has to have one. */
function checkTouches(mappings: Readonly<Record<string, CompiledMapping>>, folder: string): void {
  for (const { entity, actions } of Object.values(mappings)) {
    for (const [action, { touches }] of Object.entries(actions)) {
      const unknown = touches.filter((name) => !mappings[name]);
      if (unknown.length === 0) continue;
      throw new DefinitionError(`${folder}: ${entity}.actions.${action}.touches: no mapping of ${unknown.join(', ')}`);
    }
  }
}

function yamlFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return names.sort().map((name) => join(folder, name));
}

function viewProblem({ name, view = [] }: Entity): string {
  return `${name} is a view and has no records of its own; map ${view.map(({ entity }) => entity).join(', ')}`;
}

function entityNameOf(source: unknown): string {
  const name = typeof source === 'object' && source !== null && 'entity' in source ? source.entity : '';
  return typeof name === 'string' ? name : '';
}

function yaml(file: string): unknown {
  try {
    return load(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new DefinitionError(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
