import type { CredentialKind, Method, Operation, OperationKind, Surface } from '../src/operation.ts';
import { type Collections, entityAt } from './collections.ts';
import { deprecationOf } from './deprecations.ts';
import { type Body, type Document, nameOf, type OperationNode, type PathItem, resolve } from './openapi.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const satisfies readonly Method[];
const SURFACES: readonly string[] = ['data', 'management', 'mcp', 'oauth', 'system'] satisfies Surface[];

/** An operation and the node that it was read from. */
export interface Found {
  readonly operation: Operation;
  readonly node: OperationNode;
  readonly item: PathItem;
}

/** All operations in the order of the document. */
export function findOperations(document: Document, collections: Collections): readonly Found[] {
  const found = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const node = item[method];
      return node ? [{ operation: read(document, collections, { path, method, item, node }), node, item }] : [];
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

function read(document: Document, collections: Collections, place: Place): Operation {
  const { node, item, method, path } = place;
  if (!node.operationId) throw new Error(`${method} ${path} has no operationId.`);
  const [tag, ...more] = node.tags ?? [];
  if (!tag || more.length > 0) throw new Error(`${node.operationId} needs exactly one tag.`);
  return {
    id: node.operationId,
    method,
    path,
    bases: (node.servers ?? item.servers ?? document.servers ?? []).map(({ url }) => basePath(url)),
    tag,
    shard: tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-'),
    surface: surfaceOf(document, tag),
    security: securityOf(document, node),
    deprecated: node.deprecated === true,
    ...(isPlanned(document, node) ? { kind: 'planned' } : convention(document, collections, place)),
  };
}

function isPlanned(document: Document, { operationId = '' }: OperationNode): boolean {
  return document['x-planned']?.includes(operationId) ?? false;
}

/** The surface is said once, by `x-surface` of the tag: neither path nor credentials tell it for OAuth and health. */
function surfaceOf(document: Document, tag: string): Surface {
  const surface = document.tags?.find(({ name }) => name === tag)?.['x-surface'] ?? 'data';
  if (!SURFACES.includes(surface)) throw new Error(`Tag ${tag}: there is no surface ${surface}.`);
  return surface as Surface;
}

/** Names of the security schemes of the document, in its order. */
export function credentialKindsOf(document: Document): readonly string[] {
  return Object.keys(document.components.securitySchemes ?? {});
}

/**
 * The security schemes that an operation accepts, one at a time. Each is a bearer token: the server reads no credentials
 * but those of the header `Authorization`, which is why it may allow requests from every origin.
 */
function securityOf(document: Document, { operationId, security }: OperationNode): readonly CredentialKind[] {
  const requirements = security ?? document.security ?? [];
  return requirements.map((requirement) => {
    const [kind, ...more] = Object.keys(requirement);
    if (kind === undefined || more.length > 0) throw new Error(`${operationId}: name one security scheme at a time.`);
    const { type, scheme } = document.components.securitySchemes?.[kind] ?? {};
    if (type !== 'http' || scheme !== 'bearer') throw new Error(`${operationId}: ${kind} is not a bearer token.`);
    return kind as CredentialKind;
  });
}

/** Path of a server address without a slash at its end: `http://localhost:4000/v4` is `/v4`, the root is empty. */
function basePath(url: string): string {
  return new URL(url, 'http://localhost').pathname.replace(/\/$/, '');
}

/** What stands before the paths of all operations of the data API; the first of their servers is the address that is shown. */
export function dataPrefixOf(operations: readonly Operation[]): string {
  const data = operations.filter(({ surface }) => surface === 'data');
  const [prefix = '', ...more] = new Set(data.map(({ bases: [base = ''] }) => base));
  if (more.length > 0)
    throw new Error(`The data API is found below ${[prefix, ...more].join(' and ')}; name one server.`);
  return prefix;
}

function convention(
  document: Document,
  collections: Collections,
  { path, method, node }: Place,
): Pick<Operation, 'kind' | 'entity' | 'action'> {
  const { entity, item, batch, action } = entityAt(collections, path);
  if (!entity) return { kind: 'other' };
  if (batch)
    return method === 'post' && takes(document, node, `${entity}Batch`)
      ? { kind: 'createMany', entity }
      : { kind: 'other' };
  if (action)
    return method === 'post' && answers(document, node, '202', 'WriteRecord')
      ? { kind: 'action', entity, action }
      : { kind: 'other' };
  const kind = item ? itemKind(document, method, node, entity) : collectionKind(document, method, node, entity);
  return kind === 'other' ? { kind } : { kind, entity };
}

function collectionKind(document: Document, method: Method, node: OperationNode, entity: string): OperationKind {
  if (method === 'get' && answers(document, node, '200', `${entity}Page`)) return 'list';
  if (method === 'post' && takes(document, node, `${entity}Input`)) return 'create';
  return 'other';
}

function itemKind(document: Document, method: Method, node: OperationNode, entity: string): OperationKind {
  if (method === 'get' && answers(document, node, '200', `${entity}Answer`)) return 'get';
  if (method === 'patch' && takes(document, node, `${entity}Patch`)) return 'update';
  if (method === 'put' && takes(document, node, `${entity}Input`)) return 'replace';
  if (method === 'delete' && !node.requestBody) return 'delete';
  return 'other';
}

function answers(document: Document, node: OperationNode, status: string, schema: string): boolean {
  const response = node.responses?.[status];
  return response !== undefined && schemaName(document, response) === schema;
}

function takes(document: Document, node: OperationNode, schema: string): boolean {
  return node.requestBody !== undefined && schemaName(document, node.requestBody) === schema;
}

/** Name of the schema that a body or an answer refers to as JSON. */
export function schemaName(document: Document, body: Body | { $ref: string }): string | undefined {
  const reference = resolve<Body>(document, body).content?.['application/json']?.schema?.$ref;
  return reference && nameOf(reference);
}
