import type { CredentialKind, Method, Operation, Surface } from '../src/operation.ts';
import { conventionOf, entitiesByCollection, METHODS, shapeOf, surfacesOf } from './conventions.ts';
import { deprecationOf } from './deprecations.ts';
import { type Document, type OperationNode, type PathItem, readerOf } from './openapi.ts';

const SURFACES: readonly string[] = ['console', 'data', 'management', 'mcp', 'oauth', 'system'] satisfies Surface[];

/** The position that a read needs. */
export const POSITION = { $ref: '#/components/parameters/dataPosition' };

/** An operation and the node that it was read from. */
export interface Found {
  readonly operation: Operation;
  readonly node: OperationNode;
  readonly item: PathItem;
}

/** All operations in the order of the document. */
export function findOperations(document: Document): readonly Found[] {
  const reader = readerOf(document);
  const entities = entitiesByCollection<object>(reader, document.paths);
  const surfaces = surfacesOf(document.tags ?? []);
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method): Found[] => {
      const node = item[method];
      if (!node) return [];
      const entity = entities.get(shapeOf(path).collection)?.name;
      const basis = {
        ...read(document, surfaces, { path, method, item, node }),
        ...conventionOf<object>(reader, { path, method, node, entity }),
      };
      return [{ operation: { ...basis, readsReplica: readsReplica(basis, node) }, node, item }];
    }),
  );
  return found.map((each) => ({ ...each, operation: { ...each.operation, ...deprecationOf(document, found, each) } }));
}

interface Place {
  readonly path: string;
  readonly method: Method;
  readonly item: PathItem;
  readonly node: OperationNode;
}

/** The properties that do not depend on the conventions. */
function read(
  document: Document,
  surfaces: ReadonlyMap<string, string>,
  { node, item, method, path }: Place,
): Omit<Operation, 'kind' | 'entity' | 'action' | 'readsReplica'> {
  if (!node.operationId) throw new Error(`${method} ${path} has no operationId.`);
  const [tag, ...more] = node.tags ?? [];
  if (!tag || more.length > 0) throw new Error(`${node.operationId} needs exactly one tag.`);
  const surface = surfaceNamed(surfaces.get(tag), tag);
  return {
    id: node.operationId,
    method,
    path,
    bases: (node.servers ?? item.servers ?? document.servers ?? []).map(({ url }) => basePath(url)),
    tag,
    shard: tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    surface,
    security: securityOf(document, node, surface),
    deprecated: node.deprecated === true,
  };
}

/** Lists and gets of records read a replica, as do operations that have the parameter themselves. */
function readsReplica({ surface, kind }: Pick<Operation, 'surface' | 'kind'>, node: OperationNode): boolean {
  return surface === 'data' && (kind === 'list' || kind === 'get' || acceptsPosition(node));
}

/** Whether an operation has the parameter `dataPosition` in the document. */
export function acceptsPosition({ parameters = [] }: OperationNode): boolean {
  return parameters.some((each) => '$ref' in each && each.$ref === POSITION.$ref);
}

function surfaceNamed(surface: string | undefined = 'data', tag: string): Surface {
  if (!SURFACES.includes(surface)) throw new Error(`Tag ${tag}: there is no surface ${surface}.`);
  return surface as Surface;
}

/** Names of the security schemes of the document, in its order. */
export function credentialKindsOf(document: Document): readonly string[] {
  return Object.keys(document.components.securitySchemes ?? {});
}

/**
 * The security schemes that an operation accepts, one at a time. Each is a bearer token, which is why the server can allow
 * requests from any origin; only the console has a cookie, and is closed to other origins.
 */
function securityOf(
  document: Document,
  { operationId, security }: OperationNode,
  surface: Surface,
): readonly CredentialKind[] {
  const requirements = security ?? document.security ?? [];
  return requirements.map((requirement) => {
    const [kind, ...more] = Object.keys(requirement);
    if (kind === undefined || more.length > 0) throw new Error(`${operationId}: name one security scheme at a time.`);
    const { type, scheme, in: place } = document.components.securitySchemes?.[kind] ?? {};
    const isCookie = type === 'apiKey' && place === 'cookie' && surface === 'console';
    if (!isCookie && (type !== 'http' || scheme !== 'bearer'))
      throw new Error(`${operationId}: ${kind} is not a bearer token.`);
    return kind as CredentialKind;
  });
}

/** Path of a server address without a trailing slash: `/v4` for `http://localhost:4000/v4`; empty for the root. */
function basePath(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '');
}

/** Prefix of the paths of all operations of the data API, taken from the first of their servers. */
export function dataPrefixOf(operations: readonly Operation[]): string {
  const data = operations.filter(({ surface }) => surface === 'data');
  const [prefix = '', ...more] = new Set(data.map(({ bases: [base = ''] }) => base));
  if (more.length > 0)
    throw new Error(`The data API is found below ${[prefix, ...more].join(' and ')}; name one server.`);
  return prefix;
}
