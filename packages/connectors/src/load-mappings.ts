import { type Entity, entityOf } from '@unified/contract';
import { compileMapping } from './mapping/compile.ts';
import type { CompiledMapping } from './mapping/mapping.ts';
import { at, DefinitionError, refuse, top } from './mapping/place.ts';
import type { BrokenMapping, Platform, Stream } from './platform.ts';
import { readYaml, yamlFiles } from './platform-files.ts';

/** A mapping with the file that it is from. */
interface Loaded {
  readonly file: string;
  readonly mapping: CompiledMapping;
}

/** Reads the mappings of a platform folder. Those that cannot be used are set aside, each with all that is wrong in it. */
export function loadMappings(folder: string, streams: readonly Stream[]): Pick<Platform, 'mappings' | 'broken'> {
  const loaded = new Map<string, Loaded>();
  const broken: BrokenMapping[] = [];
  for (const path of yamlFiles(folder, 'mappings')) {
    let content: unknown;
    try {
      const { file, content: read } = readYaml(folder, path);
      content = read;
      const mapping = compile(file, content, streams);
      if (loaded.has(mapping.entity)) refuse(at(top(file), 'entity'), `${mapping.entity} has a mapping already`);
      loaded.set(mapping.entity, { file, mapping });
    } catch (error) {
      if (!(error instanceof DefinitionError)) throw error;
      broken.push(setAside(path, content, error));
    }
  }
  const named = new Set([...loaded.keys(), ...broken.map(({ entity }) => entity)]);
  for (const { file, mapping } of [...loaded.values()]) {
    const problems = unknownTouches(file, mapping, named);
    if (problems.length === 0) continue;
    loaded.delete(mapping.entity);
    broken.push({ entity: mapping.entity, stream: mapping.stream, problems });
  }
  return { mappings: Object.fromEntries([...loaded].map(([name, { mapping }]) => [name, mapping])), broken };
}

function compile(file: string, content: unknown, streams: readonly Stream[]): CompiledMapping {
  const entity = entityOf(textIn(content, 'entity') ?? '');
  const mapping = compileMapping(content, { file, ...(entity && { entity }) });
  const place = top(file);
  if (!entity) refuse(at(place, 'entity'), `the document knows no ${mapping.entity}`);
  if (entity.view) refuse(at(place, 'entity'), viewProblem(entity));
  if (!streams.some((stream) => stream.name === mapping.stream)) {
    refuse(at(place, 'stream'), `the platform has no stream "${mapping.stream}"`);
  }
  return mapping;
}

/** What an action touches is read again by its mapping, so it has to have one. */
function unknownTouches(file: string, { actions }: CompiledMapping, named: ReadonlySet<string>) {
  return Object.entries(actions).flatMap(([action, { touches }]) => {
    const unknown = touches.filter((name) => !named.has(name));
    const field = `actions.${action}.touches`;
    return unknown.length === 0 ? [] : { file, field, message: `no mapping of ${unknown.join(', ')}` };
  });
}

function setAside(path: string, content: unknown, { problems }: DefinitionError): BrokenMapping {
  const entity = textIn(content, 'entity') ?? entityOfFile(path);
  return { entity, stream: textIn(content, 'stream') ?? null, problems };
}

/** `mappings/purchase-order.yaml` is about PurchaseOrder, as every file that can be read has it. */
function entityOfFile(path: string): string {
  const name =
    path
      .split('/')
      .at(-1)
      ?.replace(/\.yaml$/, '') ?? '';
  return name.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function textIn(content: unknown, name: string): string | undefined {
  const text = typeof content === 'object' && content !== null ? Reflect.get(content, name) : undefined;
  return typeof text === 'string' ? text : undefined;
}

function viewProblem({ name, view = [] }: Entity): string {
  return `${name} is a view and has no records of its own; map ${view.map(({ entity }) => entity).join(', ')}`;
}
