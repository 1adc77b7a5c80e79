import { type Entity, entityOf, operations } from '@unified/contract';
import type { WriteOperation } from './driver.ts';
import { compileMapping } from './mapping/compile.ts';
import { attempt, DefinitionError, type DefinitionProblem } from './mapping/definition-error.ts';
import type { CompiledMapping } from './mapping/mapping.ts';
import { at, refuse, type SchemaPath, top } from './mapping/schema-path.ts';
import type { BrokenMapping, Platform, Stream } from './platform.ts';
import { readYaml, yamlFiles } from './platform-files.ts';
import type { Protocol } from './protocol.ts';

const WRITES: readonly WriteOperation[] = ['create', 'update', 'replace', 'delete'];

/** A mapping with the file that defines it. */
interface Loaded {
  readonly file: string;
  readonly mapping: CompiledMapping;
}

/**
 * Reads the mappings of a platform folder. Those that cannot be used are set aside, each with all its errors.
 *
 * @param streams absent: unknown, so no mapping is refused because of its stream @param protocol absent: unknown, so none is
 * refused because of missing parts
 */
export function loadMappings(
  folder: string,
  streams?: readonly Stream[],
  protocol?: { readonly driver: string; partsOf(stream: Stream): Protocol['parts'] },
): Pick<Platform, 'mappings' | 'broken'> {
  const loaded = new Map<string, Loaded>();
  const broken: BrokenMapping[] = [];
  const files = yamlFiles(folder, 'mappings').map((path) => ({ path, ...readOrRefusal(folder, path) }));
  const singleKeys = singleKeysOf(
    files.map(({ content }) => content),
    streams ?? [],
  );
  for (const { path, file, content, refusal } of files) {
    try {
      if (refusal) throw refusal;
      const mapping = compile(file, content, streams, singleKeys);
      const stream = streams?.find(({ name }) => name === mapping.stream);
      if (protocol && stream) refuseUnable(file, mapping, protocol.driver, protocol.partsOf(stream));
      if (loaded.has(mapping.entity)) refuse(at(top(file), 'entity'), `${mapping.entity} already has a mapping`);
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

/** The content of a file, or why it cannot be read. */
function readOrRefusal(folder: string, path: string): { file: string; content?: unknown; refusal?: DefinitionError } {
  try {
    return readYaml(folder, path);
  } catch (error) {
    if (error instanceof DefinitionError) return { file: path, refusal: error };
    throw error;
  }
}

/** Entities whose stream has one key column. If two files are for one entity, the first one is used. */
function singleKeysOf(contents: readonly unknown[], streams: readonly Stream[]): ReadonlySet<string> {
  const columns = new Map(streams.map(({ name, key }) => [name, key.length]));
  const ofEntity = new Map<string, number | undefined>();
  for (const content of contents) {
    const entity = textIn(content, 'entity');
    if (entity !== undefined && !ofEntity.has(entity))
      ofEntity.set(entity, columns.get(textIn(content, 'stream') ?? ''));
  }
  return new Set([...ofEntity].filter(([, count]) => count === 1).map(([entity]) => entity));
}

function compile(
  file: string,
  content: unknown,
  streams: readonly Stream[] | undefined,
  singleKeys: ReadonlySet<string>,
): CompiledMapping {
  const entity = entityOf(textIn(content, 'entity') ?? '');
  const place = top(file);
  const [name, stream] = [textIn(content, 'entity'), textIn(content, 'stream')];
  const problems: DefinitionProblem[] = [];
  const mapping = attempt(problems, () => compileMapping(content, { file, singleKeys, ...(entity && { entity }) }));
  attempt(problems, () => {
    if (name !== undefined && !entity) refuse(at(place, 'entity'), `the document has no ${name}`);
    if (entity?.view) refuse(at(place, 'entity'), viewProblem(entity));
  });
  attempt(problems, () => {
    const isKnown = stream === undefined || !streams || streams.some((each) => each.name === stream);
    if (!isKnown) refuse(at(place, 'stream'), `the platform has no stream "${stream}"`);
  });
  if (mapping && entity) attempt(problems, () => checkWrites(mapping, at(place, 'writes')));
  if (!mapping || problems.length > 0) throw new DefinitionError(problems);
  return mapping;
}

/** A mapping must not declare more than its protocol supports for its stream. */
function refuseUnable(
  file: string,
  { stream, writes, actions }: CompiledMapping,
  driver: string,
  parts: Protocol['parts'],
): void {
  const problem = (field: string, what: string) => {
    return { file, field, message: `the driver "${driver}" ${what} the stream "${stream}"` };
  };
  const problems = [
    ...(writes.size > 0 && !parts.writes ? [problem('writes', 'cannot write')] : []),
    ...(Object.keys(actions).length > 0 && !parts.actions ? [problem('actions', 'has no actions for')] : []),
  ];
  if (problems.length > 0) throw new DefinitionError(problems);
}

/** Writes that can be requested, such as `Site replace`. A write at the address of a view is a write of one of its members. */
const addressed: ReadonlySet<string> = new Set(
  operations.flatMap(({ entity = '', kind }) => {
    const stored = entityOf(entity)?.view?.map((member) => member.entity) ?? [entity];
    return stored.map((name) => `${name} ${kind === 'createMany' ? 'create' : kind}`);
  }),
);

/**
 * Refuses a delete that can never be requested. A delete that the API lacks can still compensate a create; the same applies to
 * changes.
 */
function checkWrites({ entity, writes }: CompiledMapping, place: SchemaPath): void {
  if (!writes.has('delete') || writes.has('create') || addressed.has(`${entity} delete`)) return;
  const known = WRITES.filter((write) => addressed.has(`${entity} ${write}`));
  refuse(place, `${entity} has no delete operation; it has ${known.join(', ') || 'none that writes'}`);
}

/** Entities that writes and actions touch are read again by their mapping, so they must have one. */
function unknownTouches(file: string, { touches, actions }: CompiledMapping, named: ReadonlySet<string>) {
  const ofActions = Object.entries(actions).map(
    ([action, { touches }]) => [`actions.${action}.touches`, touches] as const,
  );
  return [['touches', touches] as const, ...ofActions].flatMap(([field, names]) => {
    const unknown = names.filter((name) => !named.has(name));
    return unknown.length === 0 ? [] : { file, field, message: `no mapping of ${unknown.join(', ')}` };
  });
}

function setAside(path: string, content: unknown, { problems }: DefinitionError): BrokenMapping {
  const entity = textIn(content, 'entity') ?? entityOfFile(path);
  return { entity, stream: textIn(content, 'stream') ?? null, problems };
}

/** The entity by the naming rule of the files: `mappings/purchase-order.yaml` is for PurchaseOrder. */
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
  return `${name} is a view and has no records; map ${view.map(({ entity }) => entity).join(', ')}`;
}
