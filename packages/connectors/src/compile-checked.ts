import { addressedWrites, type Entity, entityOf, nearest } from '@unified/contract';
import { compileMapping } from './mapping/compile.ts';
import { attempt, DefinitionError, type DefinitionProblem } from './mapping/definition-error.ts';
import type { CompiledMapping } from './mapping/mapping.ts';
import { at, refuse, type SchemaPath, top } from './mapping/schema-path.ts';
import type { Stream } from './platform.ts';
import type { Protocol } from './protocol.ts';

/** Entities whose stream has one key column. If two files map the same entity, the first one is used. */
export function singleKeysOf(contents: readonly unknown[], streams: readonly Stream[]): ReadonlySet<string> {
  const columns = new Map(streams.map(({ name, key }) => [name, key.length]));
  const ofEntity = new Map<string, number | undefined>();
  for (const content of contents) {
    const entity = textIn(content, 'entity');
    if (entity !== undefined && !ofEntity.has(entity))
      ofEntity.set(entity, columns.get(textIn(content, 'stream') ?? ''));
  }
  return new Set([...ofEntity].filter(([, count]) => count === 1).map(([entity]) => entity));
}

interface Surroundings {
  /** If absent, the streams are unknown, and no mapping is refused because of its stream. */
  readonly streams?: readonly Stream[] | undefined;
  /** Entities whose stream has one key column. */
  readonly singleKeys: ReadonlySet<string>;
}

/**
 * Compiles a mapping, and compares it with the document and the streams. Throws a `DefinitionError` with all errors.
 */
export function compileChecked(file: string, content: unknown, { streams, singleKeys }: Surroundings): CompiledMapping {
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
    const known = streams?.map((each) => each.name);
    if (stream === undefined || !known || known.includes(stream)) return;
    const meant = nearest(stream, known);
    const remedy = meant === undefined ? '' : `; did you mean "${meant}"?`;
    refuse(at(place, 'stream'), `the platform has no stream "${stream}"${remedy}`);
  });
  if (mapping && entity) attempt(problems, () => checkWrites(mapping, at(place, 'writes')));
  if (!mapping || problems.length > 0) throw new DefinitionError(problems);
  return mapping;
}

/** A mapping must not declare more than its protocol supports for its stream. `reason` is why parts are lacking, if known. */
export function refuseUnable(
  file: string,
  { stream, writes, actions }: CompiledMapping,
  driver: string,
  parts: Protocol['parts'],
  reason?: string,
): void {
  const problem = (field: string, what: string) => {
    const why = reason === undefined ? '' : `, because ${reason}; leave out "${field}"`;
    return { file, field, message: `the driver "${driver}" ${what} the stream "${stream}"${why}` };
  };
  const problems = [
    ...(writes.size > 0 && !parts.writes ? [problem('writes', 'cannot write')] : []),
    ...(Object.keys(actions).length > 0 && !parts.actions ? [problem('actions', 'has no actions for')] : []),
  ];
  if (problems.length > 0) throw new DefinitionError(problems);
}

/**
 * Refuses a delete that can never be requested. A delete that the API lacks can still compensate a create; the same applies to
 * changes.
 */
function checkWrites({ entity, writes }: CompiledMapping, place: SchemaPath): void {
  const known = addressedWrites(entity);
  if (!writes.has('delete') || writes.has('create') || known.includes('delete')) return;
  refuse(place, `${entity} has no delete operation; it has ${known.join(', ') || 'none that writes'}`);
}

/** Entities that writes and actions touch are read again through their mapping, so they must have one. */
export function unknownTouches(file: string, { touches, actions }: CompiledMapping, named: ReadonlySet<string>) {
  const ofActions = Object.entries(actions).map(
    ([action, { touches }]) => [`actions.${action}.touches`, touches] as const,
  );
  return [['touches', touches] as const, ...ofActions].flatMap(([field, names]) => {
    const unknown = names.filter((name) => !named.has(name));
    return unknown.length === 0 ? [] : { file, field, message: `no mapping of ${unknown.join(', ')}` };
  });
}

/** The text of a property of parsed YAML or JSON; undefined if it has none. */
export function textIn(content: unknown, name: string): string | undefined {
  const text = typeof content === 'object' && content !== null ? Reflect.get(content, name) : undefined;
  return typeof text === 'string' ? text : undefined;
}

function viewProblem({ name, view = [] }: Entity): string {
  return `${name} is a view and has no records; map ${view.map(({ entity }) => entity).join(', ')}`;
}
