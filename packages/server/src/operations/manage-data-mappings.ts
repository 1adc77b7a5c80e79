import { type Request, ServiceError } from '@unified/contract';
import {
  addDataMapping,
  type ConflictExample,
  clientById,
  dataMappingById,
  isUuid,
  MappingConflict,
  type MappingPair,
  type PairSet,
  pageOfPairs,
  removeDataMapping,
  replacePairs,
  type Scope,
  setCardinality,
  listDataMappings as storedMappings,
} from '@unified/store';
import { quoted, requestError, suggestion } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { once } from './once.ts';

const DEFAULT_LIMIT = 100;

/** Oldest first. Throws SERVICE_NOT_FOUND. */
export async function listDataMappings({ path }: Request<'listDataMappings'>, { connections }: ManagementContext) {
  const data = await storedMappings(await connections.scopeOf(path.id));
  return { status: 200, body: { meta: {}, data } } as const;
}

/** Starts a mapping without pairs. Throws SERVICE_NOT_FOUND, SERVICE_INVALID_BODY and SERVICE_ALREADY_EXISTS. */
export async function startDataMapping(request: Request<'startDataMapping'>, context: ManagementContext) {
  const { entity, cardinality = 'one_to_one' } = request.body;
  const scope = await context.connections.scopeOf(request.path.id);
  checkEntity(scope, entity);
  return once(request, context, async () => {
    const data = await addDataMapping(scope, { entity, cardinality });
    if (!data) throw new ServiceError('SERVICE_ALREADY_EXISTS', `The connection has a data mapping of ${entity}.`);
    return { data };
  });
}

/** Throws SERVICE_INVALID_BODY for a name that is not an entity with records of its own. */
function checkEntity({ entities }: Scope, name: string): void {
  const stored = Object.values(entities).flatMap((entity) => (entity.view ? [] : entity.name));
  if (stored.includes(name)) return;
  const { advice, detail } = suggestion(name, stored);
  throw requestError('SERVICE_INVALID_BODY', 'body/entity', `There is no entity ${quoted(name)}.${advice}`, detail);
}

/** Throws SERVICE_NOT_FOUND. */
export async function getDataMapping({ path }: Request<'getDataMapping'>, { connections }: ManagementContext) {
  const data = await dataMappingById(await connections.scopeOf(path.id), path.mappingId);
  if (!data) throw noMapping();
  return { status: 200, body: { data } } as const;
}

/** Throws SERVICE_NOT_FOUND, and SERVICE_MAPPING_CONFLICT if the pairs do not fit. */
export async function setDataMappingCardinality(
  { path, body }: Request<'setDataMappingCardinality'>,
  { connections }: ManagementContext,
) {
  const scope = await connections.scopeOf(path.id);
  const data = await setCardinality(scope, path.mappingId, body.cardinality).catch(conflicting('body/cardinality'));
  if (!data) throw noMapping();
  return { status: 200, body: { data } } as const;
}

/** Removes a mapping with its pairs. Throws SERVICE_NOT_FOUND. */
export async function stopDataMapping({ path }: Request<'stopDataMapping'>, { connections }: ManagementContext) {
  if (!(await removeDataMapping(await connections.scopeOf(path.id), path.mappingId))) throw noMapping();
  return { status: 204 } as const;
}

/** Pairs in the order of (serviceId, externalValue). Throws SERVICE_NOT_FOUND and SERVICE_INVALID_PARAMETER. */
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
  if (!(await replacePairs(scope, set, body.entries).catch(conflicting('body/entries')))) throw noMapping();
  return entries(scope, set);
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
  if (!(await dataMappingById(scope, set.mappingId))) throw noMapping();
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
    if (!(error instanceof MappingConflict)) throw error;
    const { cardinality, count, examples } = error;
    const shown = examples.map(({ side, value, count: n }) => `${side} "${value.slice(0, 80)}" has ${n}`);
    const message = `${count} records or values have too many counterparts for ${cardinality}: ${shown.join(', ')}.`;
    throw new ServiceError('SERVICE_MAPPING_CONFLICT', message, {
      details: [{ path, message, count, examples: examples.map(exampleOf) }],
    });
  };
}

function exampleOf({ side, value, count, counterparts }: ConflictExample) {
  return { [side]: value, count, [side === 'serviceId' ? 'externalValues' : 'serviceIds']: counterparts };
}
