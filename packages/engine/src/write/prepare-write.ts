import type { CompiledMapping, KnownLists, ResolvedReference, Row, Stream } from '@unified/connectors';
import { firstField, ServiceError, withArticle } from '@unified/contract';
import {
  idsByExternalValue,
  linkTo,
  type Scope,
  targets,
  type WriteResolvedRef,
  type WriteWarning,
} from '@unified/store';
import type { DriverSession } from '../drivers/driver-pool.ts';
import { brokenError, brokenMapping } from '../model/broken-platform.ts';
import { type ConnectionModel, streamOf } from '../model/connection-model.ts';
import { isAble } from './able.ts';
import { withClearedCustomFields, withWritableLineFields } from './given-custom-fields.ts';
import { identifyLines, knownLists } from './given-lines.ts';
import {
  type GivenReference,
  keyOf,
  keyShown,
  type MatchedOn,
  meantBy,
  noMatch,
  type ResolveReference,
  referenceFault,
  resolveReferences,
  targetsIn,
  unresolved,
  type WriteBody,
} from './given-references.ts';
import { unsupported, warningsOf } from './write-warnings.ts';

/** A write as it is sent to the connected system. */
export interface PreparedWrite extends Lookups {
  readonly stream: Stream;
  readonly mapping: CompiledMapping;
  /** The request with its references resolved. */
  readonly input: Row;
  readonly values: Row;
  readonly act: string | null;
  /** The stored rows of the lists in `values`. */
  readonly known: KnownLists;
  /** Fields that are not sent. */
  readonly unsupported: readonly string[];
}

/**
 * The stream and mapping that a write goes to. Throws `ServiceError` SERVICE_NOT_SUPPORTED when the connected system does
 * not have the entity or the operation, with those that it has, SERVICE_PLATFORM_BROKEN when the mapping cannot be used.
 */
export function mappingFor(model: ConnectionModel, write: Omit<WriteBody, 'body'>) {
  const { entity, op, action = null } = write;
  const stream = streamOf(model, entity);
  const mapping = stream && model.mappings[entity];
  const broken = brokenMapping(model, entity);
  if (broken) throw brokenError(`The mapping of ${entity}`, broken.problems);
  if (!mapping || !stream || !isAble(mapping, write)) {
    const capability = {
      entity,
      operations: [...(mapping?.writes ?? [])],
      actions: Object.keys(mapping?.actions ?? {}),
    };
    const reason = mapping ? `its mapping of ${entity} does not define this` : `it has no mapping of ${entity}`;
    const message = `The connection cannot ${action ?? op} ${withArticle(entity)}: ${reason}.`;
    throw new ServiceError('SERVICE_NOT_SUPPORTED', message, { details: [capability] });
  }
  return { mapping, stream };
}

/**
 * Looks up the references of a write and maps it to the values that are sent to the connected system. Reads only from the
 * database. Throws `ServiceError`.
 */
export async function prepareWrite(
  { scope, model }: Pick<DriverSession, 'model' | 'scope'>,
  write: WriteBody,
): Promise<PreparedWrite> {
  const { mapping, stream } = mappingFor(model, write);
  const { platform } = model;
  const lookups: Lookups = { resolvedRefs: [], warnings: [] };
  const lookup = referenceLookup(scope, model, write, lookups);
  const body = await identifyLines(scope, write);
  const resolved = await resolveReferences(targetsIn(scope, write), body, lookup);
  const cleared = await withClearedCustomFields(scope, mapping, write, resolved);
  const { input, unsupported: unwritable } = withWritableLineFields(scope, model, write, cleared);
  const mapped = mapOut(mapping, write, input);
  const written = { ...mapped, unsupported: [...mapped.unsupported, ...unwritable] };
  if (write.op === 'action' && written.act === null) {
    const message = `${platform.name} cannot ${write.action} ${withArticle(write.entity)} like this.`;
    throw new ServiceError('SERVICE_NOT_SUPPORTED', message);
  }
  return {
    stream,
    mapping,
    input,
    ...written,
    known: await knownLists(scope, write, mapping),
    resolvedRefs: lookups.resolvedRefs,
    warnings: [...lookups.warnings, ...warningsOf(model, { ...write, body: input }, written.unsupported)],
  };
}

/** The values to send for a body, and the action. */
export function mapOut(mapping: CompiledMapping, { op, action }: WriteBody, input: Row) {
  if (op !== 'action') return { act: null, ...mapping.write(input, { op }) };
  return mapping.actions[action ?? '']?.write(input) ?? { act: null, values: {}, unsupported: [] };
}

/** Results of looking up the references of a body. */
interface Lookups {
  readonly resolvedRefs: WriteResolvedRef[];
  readonly warnings: WriteWarning[];
}

/**
 * Looks references up among the records of a connection, and adds the results to `lookups`. Throws `ServiceError`
 * SERVICE_UNRESOLVED_REFERENCE when no record matches, and SERVICE_AMBIGUOUS_REFERENCE when more than one does. If a reference
 * may point to several entities, `rel` selects one. A reference to an entity that the platform does not have is dropped with a
 * warning, and so is one that the action does not use, such as its reason: the system need not have a record for it.
 */
function referenceLookup(
  scope: Scope,
  { platform, mappings }: ConnectionModel,
  { entity: written, op, action }: WriteBody,
  lookups: Lookups,
): ResolveReference {
  const inputs = op === 'action' ? mappings[written]?.actions[action ?? '']?.inputs : undefined;
  const known = new Map<string, Promise<Match>>();
  return async (reference) => {
    const { field, given } = reference;
    const fault = referenceFault(reference);
    if (fault) throw unresolved([fault]);
    const entities = meantBy(reference).filter((entity) => Object.hasOwn(mappings, entity));
    const isUsed = inputs?.includes(firstField(field)) ?? true;
    if (entities.length === 0 || !isUsed) {
      lookups.warnings.push(unsupported(platform, field));
      return undefined;
    }
    const key = JSON.stringify([entities, given]);
    const match = await (known.get(key) ?? remember(known, key, () => lookUp(scope, entities, reference)));
    lookups.resolvedRefs.push({ field, given, matchedOn: match.matchedOn, link: linkOf(match) });
    return named(match.target);
  };
}

interface Match {
  readonly target: FoundTarget;
  readonly matchedOn: MatchedOn;
}

function remember(known: Map<string, Promise<Match>>, key: string, look: () => Promise<Match>): Promise<Match> {
  const match = look();
  known.set(key, match);
  return match;
}

async function lookUp(scope: Scope, entities: readonly string[], reference: GivenReference): Promise<Match> {
  const { tried = [], value = '' } = keyOf(reference) ?? {};
  for (const matchedOn of tried) {
    const found = await Promise.all(entities.map((entity) => findTargets(scope, entity, matchedOn, [value])));
    const [target, ...others] = found.flat();
    if (target && others.length > 0) throw ambiguous(reference, found.flat());
    if (target) return { target, matchedOn };
  }
  throw unresolved([noMatch(reference)]);
}

function ambiguous(reference: GivenReference, found: readonly FoundTarget[]): ServiceError {
  const { field, given } = reference;
  const message = `\`${field}\`: Several records match ${keyShown(reference)}. Use the \`id\` of one of the candidates.`;
  const candidates = found.map(({ id, _idValue, _displayValue, entity: rel }) => ({
    id,
    _idValue,
    _displayValue,
    rel,
  }));
  return new ServiceError('SERVICE_AMBIGUOUS_REFERENCE', message, { details: [{ field, given, candidates }] });
}

function linkOf({ target, matchedOn }: Match): WriteResolvedRef['link'] {
  const { id, _idValue, _displayValue, entity, href } = target;
  return { id, _idValue, _displayValue, rel: entity, matchedOn, href };
}

/** A record that a reference may point to. */
export interface FoundTarget extends ResolvedReference {
  readonly href: string;
}

/**
 * Records of an entity whose property `by` is exactly one of `values`, except deleted ones. An `externalValue` is a value of a
 * data mapping.
 */
export async function findTargets(
  scope: Scope,
  entityName: string,
  by: WriteResolvedRef['matchedOn'],
  values: readonly string[],
): Promise<FoundTarget[]> {
  const entity = scope.entities[entityName];
  if (by === 'externalValue')
    return findTargets(scope, entityName, 'id', await idsByExternalValue(scope, entityName, values));
  const found = entity ? await targets(scope, entity, by, values, { existing: true }) : [];
  return found.map((target) => ({ ...named(target), href: linkTo(target, scope.publicUrl).href }));
}

function named({ id, _idValue, code, _displayValue, entity }: ResolvedReference): ResolvedReference {
  return { id, _idValue, code, _displayValue, entity };
}
