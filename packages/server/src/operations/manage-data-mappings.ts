import { type Request, ServiceError } from '@unified/contract';
import {
  addDataMapping,
  auditedInScope,
  type ConflictExample,
  clientById,
  dataMappingById,
  hasDataMapping,
  isUuid,
  lockDataMapping,
  MappingConflict,
  type MappingPair,
  type PairSet,
  pageOfPairs,
  type ReplacedPairs,
  removeDataMapping,
  replacePairs,
  type Scope,
  setCardinality,
  listDataMappings as storedMappings,
  TooManyPairs,
} from '@unified/store';
import { requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { once } from './once.ts';

const DEFAULT_LIMIT = 100;

/** Oldest first. Throws SERVICE_NOT_FOUND. */
export async function listDataMappings({ path }: Request<'listDataMappings'>, { connections }: ManagementContext) {
  const data = await storedMappings(await connections.scopeOf(path.id));
  return { status: 200, body: { meta: {}, data } } as const;
}

/** Starts a mapping without pairs. Throws SERVICE_NOT_FOUND and SERVICE_ALREADY_EXISTS. */
export async function startDataMapping(request: Request<'startDataMapping'>, context: ManagementContext) {
  const { entity, cardinality = 'one_to_one' } = request.body;
  const scope = await context.connections.scopeOf(request.path.id);
  return once(request, context, () =>
    auditedInScope(scope, context.origin, async (inner, record) => {
      const data = await addDataMapping(inner, { entity, cardinality });
      if (!data) throw new ServiceError('SERVICE_ALREADY_EXISTS', `The connection has a data mapping of ${entity}.`);
      await record({ action: 'data_mapping.start', target: data.id, after: ofConnection(scope, data) });
      return { data };
    }),
  );
}

/** Throws SERVICE_NOT_FOUND. */
export async function getDataMapping({ path }: Request<'getDataMapping'>, { connections }: ManagementContext) {
  const data = await dataMappingById(await connections.scopeOf(path.id), path.mappingId);
  if (!data) throw noMapping();
  return { status: 200, body: { data } } as const;
}

/** Throws SERVICE_NOT_FOUND, and SERVICE_MAPPING_CONFLICT if the pairs violate the cardinality. */
export async function setDataMappingCardinality(
  { path, body }: Request<'setDataMappingCardinality'>,
  { connections, origin }: ManagementContext,
) {
  const scope = await connections.scopeOf(path.id);
  const { mappingId } = path;
  return auditedInScope(scope, origin, async (inner, record) => {
    const before = await lockDataMapping(inner, mappingId);
    if (!before) throw noMapping();
    const data = await setCardinality(inner, mappingId, body.cardinality).catch(conflicting('body/cardinality'));
    if (!data) throw noMapping();
    const states = { before: ofConnection(scope, before), after: ofConnection(scope, data) };
    await record({ action: 'data_mapping.set_cardinality', target: mappingId, ...states });
    return { status: 200, body: { data } } as const;
  });
}

/** Removes a mapping with its pairs. Throws SERVICE_NOT_FOUND. */
export async function stopDataMapping(
  { path }: Request<'stopDataMapping'>,
  { connections, origin }: ManagementContext,
) {
  const scope = await connections.scopeOf(path.id);
  return auditedInScope(scope, origin, async (inner, record) => {
    const before = await dataMappingById(inner, path.mappingId);
    if (!before || !(await removeDataMapping(inner, path.mappingId))) throw noMapping();
    await record({ action: 'data_mapping.stop', target: path.mappingId, before: ofConnection(scope, before) });
    return { status: 204 } as const;
  });
}

/** A mapping together with its connection, for the audit log. */
function ofConnection({ connectionId }: Scope, mapping: object): object {
  return { ...mapping, connectionId };
}

/** Pairs ordered by (serviceId, externalValue). Throws SERVICE_NOT_FOUND and SERVICE_INVALID_PARAMETER. */
export async function listDataMappingEntries(
  { path, query }: Request<'listDataMappingEntries'>,
  context: ManagementContext,
) {
  const set = await pairSetOf(path.mappingId, query.clientId, context);
  const after = query.after === undefined ? undefined : pairOf(query.after);
  return entries(await context.connections.scopeOf(path.id), set, { after, limit: query.limit });
}

/**
 * Replaces the pairs of a client, or the shared ones. Throws SERVICE_NOT_FOUND, SERVICE_MAPPING_CONFLICT, and
 * SERVICE_INVALID_PARAMETER for an unknown client.
 */
export async function replaceDataMappingEntries(
  { path, query, body }: Request<'replaceDataMappingEntries'>,
  context: ManagementContext,
) {
  const set = await pairSetOf(path.mappingId, query.clientId, context);
  const scope = await context.connections.scopeOf(path.id);
  await auditedInScope(scope, context.origin, async (inner, record) => {
    const replaced = await replacePairs(inner, set, body.entries).catch(conflicting('body/entries'));
    if (!replaced) throw noMapping();
    await record({
      action: 'data_mapping.replace_entries',
      target: set.mappingId,
      ...pairStates(scope, set, replaced),
    });
  });
  return entries(scope, set);
}

/**
 * The set before and after a change, for the audit log. The pairs themselves are data of the connection, and are not recorded.
 */
function pairStates(scope: Scope, { clientId }: PairSet, { entity, cardinality, ...pairs }: ReplacedPairs) {
  const state = ofConnection(scope, { entity, cardinality, clientId: clientId ?? null });
  return { before: { ...state, pairs: pairs.removed }, after: { ...state, pairs: pairs.added } };
}

async function pairSetOf(mappingId: string, clientId: string | undefined, { application }: ManagementContext) {
  if (clientId !== undefined && !(await clientById(application, clientId))) {
    throw requestError('SERVICE_INVALID_PARAMETER', 'query/clientId', 'The application has no client with this id.');
  }
  return { mappingId, clientId };
}

interface Position {
  readonly after?: MappingPair | undefined;
  readonly limit?: number | undefined;
}

async function entries(scope: Scope, set: PairSet, { after, limit = DEFAULT_LIMIT }: Position = {}) {
  if (!(await hasDataMapping(scope, set.mappingId))) throw noMapping();
  const found = await pageOfPairs(scope, { ...set, after, limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return { status: 200, body: { entries: page, ...(last && { nextAfter: positionOf(last) }) } } as const;
}

function positionOf({ serviceId, externalValue }: MappingPair): string {
  return Buffer.from(JSON.stringify([serviceId, externalValue])).toString('base64url');
}

/** The pair that a position names. Throws SERVICE_INVALID_PARAMETER. */
function pairOf(after: string): MappingPair {
  const [serviceId, externalValue] = partsOf(Buffer.from(after, 'base64url').toString());
  if (typeof serviceId === 'string' && isUuid(serviceId) && isText(externalValue)) {
    return { serviceId, externalValue };
  }
  const message = 'The position is invalid. Send `nextAfter` of a page, or start again without it.';
  throw requestError('SERVICE_INVALID_PARAMETER', 'query/after', message);
}

function partsOf(text: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(text);
    return Array.isArray(parts) ? parts : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** Whether the database can compare with a value. */
function isText(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0') && value.isWellFormed();
}

function noMapping(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'The connection has no data mapping with this id.');
}

function conflicting(path: string) {
  return (error: unknown): never => {
    if (error instanceof TooManyPairs) throw conflict(error.message, { path, message: error.message });
    if (!(error instanceof MappingConflict)) throw error;
    const { cardinality, count, examples } = error;
    const shown = examples.map(({ side, value, count: n }) => `${side} "${value.slice(0, 80)}" has ${n}`);
    const message = `${count} records or values have too many counterparts for ${cardinality}: ${shown.join(', ')}.`;
    throw conflict(message, { path, message, count, examples: examples.map(exampleOf) });
  };
}

function conflict(message: string, detail: Readonly<Record<string, unknown>>): ServiceError {
  return new ServiceError('SERVICE_MAPPING_CONFLICT', message, { details: [detail] });
}

function exampleOf({ side, value, count, counterparts }: ConflictExample) {
  return { [side]: value, count, [side === 'serviceId' ? 'externalValues' : 'serviceIds']: counterparts };
}
