import type { Method, OperationKind } from '../src/operation.ts';

// How the conventions of the document are recognized. The generator reads the bundled document and the lint rules read its
// files, so both provide a `Reader`.

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const satisfies readonly Method[];

type Key = string | number;

/** Reads nodes of the document; `Place` is a node together with what is needed to resolve references in it. */
export interface Reader<Place> {
  /** The node at these keys. References are followed along the way and at the end. Undefined if there is none. */
  at(from: Place, ...keys: readonly Key[]): Place | undefined;
  /** Name at the end of the `$ref` at these keys: `Vendor` for `#/components/schemas/Vendor`. */
  nameAt(from: Place, ...keys: readonly Key[]): string | undefined;
  /** The object at a place. */
  node(place: Place): Readonly<Record<string, unknown>>;
}

/** The form of a path. */
export interface PathShape {
  /** First segment: `vendors`. */
  readonly collection: string;
  /** `/vendors`, `/vendors/{id}`, `/vendors/batch`, `/vendors/{id}/actions/cancel`, or something else. */
  readonly shape: 'collection' | 'item' | 'batch' | 'action' | 'other';
  /** Name of the action, otherwise empty. */
  readonly action: string;
}

/** Reads a path of the document, without the version segment. */
export function shapeOf(path: string): PathShape {
  const [collection = '', second, third, fourth = '', ...rest] = path.slice(1).split('/');
  const shaped = (shape: PathShape['shape'], action = '') => ({ collection, shape, action });
  if (second === undefined) return shaped('collection');
  if (second === 'batch' && third === undefined) return shaped('batch');
  if (!second.startsWith('{')) return shaped('other');
  if (third === undefined) return shaped('item');
  if (third === 'actions' && fourth !== '' && rest.length === 0) return shaped('action', fourth);
  return shaped('other');
}

/** An entity: the name of its schema, and the schema. */
export interface FoundEntity<Place> {
  readonly name: string;
  readonly schema: Place;
}

/**
 * The entity of each collection, in the order of the document. It is `<Entity>` if the collection's list returns `<Entity>Page`
 * or its records return `<Entity>Response`, and the schema is composed of the shared `Entity` or is a view of such schemas.
 */
export function entitiesByCollection<Place>(
  reader: Reader<Place>,
  paths: Place,
): ReadonlyMap<string, FoundEntity<Place>> {
  const entities = new Map<string, FoundEntity<Place>>();
  for (const path of Object.keys(reader.node(paths))) {
    const { collection, shape } = shapeOf(path);
    if (entities.has(collection) || (shape !== 'collection' && shape !== 'item')) continue;
    const returned = METHODS.map((method) => returnedEntity(reader, reader.at(paths, path, method)));
    const entity = returned.find(Boolean);
    if (entity) entities.set(collection, entity);
  }
  return entities;
}

/** Name of the schema that an operation returns with this status. */
export function responseName<Place>(reader: Reader<Place>, operation: Place, status: string): string | undefined {
  return reader.nameAt(operation, 'responses', status, 'content', 'application/json', 'schema');
}

/** Name of the schema of the body of an operation. */
export function bodyName<Place>(reader: Reader<Place>, operation: Place): string | undefined {
  return reader.nameAt(operation, 'requestBody', 'content', 'application/json', 'schema');
}

function returnedEntity<Place>(reader: Reader<Place>, operation: Place | undefined): FoundEntity<Place> | undefined {
  if (operation === undefined) return undefined;
  for (const status of ['200', '201']) {
    const name = /^(.+)(?:Page|Response)$/.exec(responseName(reader, operation, status) ?? '')?.[1];
    const returned = reader.at(operation, 'responses', status, 'content', 'application/json', 'schema');
    const data = returned && dataOf(reader, returned);
    const schema = data && 'items' in reader.node(data) ? reader.at(data, 'items') : data;
    if (name && schema && isEntity(reader, schema)) return { name, schema };
  }
  return undefined;
}

/** Schema of the property `data` of an envelope. */
function dataOf<Place>(reader: Reader<Place>, envelope: Place): Place | undefined {
  const own = reader.at(envelope, 'properties', 'data');
  if (own) return own;
  const { allOf } = reader.node(envelope);
  const parts = (Array.isArray(allOf) ? allOf : []).flatMap((_, index) => reader.at(envelope, 'allOf', index) ?? []);
  return parts.map((part) => dataOf(reader, part)).find(Boolean);
}

function isEntity<Place>(reader: Reader<Place>, schema: Place): boolean {
  const { allOf, 'x-view': view } = reader.node(schema);
  if (view !== undefined) return true;
  return (Array.isArray(allOf) ? allOf : []).some((_, index) => reader.nameAt(schema, 'allOf', index) === 'Entity');
}

/**
 * Surface of each tag. `x-surface` names it, because neither paths nor credentials identify it for OAuth and the health check.
 */
export function surfacesOf(tags: readonly Readonly<Record<string, unknown>>[]): ReadonlyMap<string, string> {
  return new Map(tags.map(({ name, 'x-surface': surface = 'data' }) => [String(name), String(surface)]));
}

/**
 * What an operation does according to the conventions: its path, method and schemas determine this. `other` follows none of
 * them.
 */
export function conventionOf<Place>(
  reader: Reader<Place>,
  { path, method, node, entity }: { path: string; method: Method; node: Place; entity: string | undefined },
): { readonly kind: OperationKind; readonly entity?: string; readonly action?: string } {
  if (entity === undefined) return { kind: 'other' };
  const { shape, action } = shapeOf(path);
  const returns = (status: string, name: string) => responseName(reader, node, status) === name;
  const takes = (name: string) => bodyName(reader, node) === name;
  if (shape === 'collection') {
    if (method === 'get' && returns('200', `${entity}Page`)) return { kind: 'list', entity };
    if (method === 'post' && takes(`${entity}Input`)) return { kind: 'create', entity };
  }
  if (shape === 'item') {
    if (method === 'get' && returns('200', `${entity}Response`)) return { kind: 'get', entity };
    if (method === 'patch' && takes(`${entity}Patch`)) return { kind: 'update', entity };
    if (method === 'put' && takes(`${entity}Input`)) return { kind: 'replace', entity };
    if (method === 'delete' && !('requestBody' in reader.node(node))) return { kind: 'delete', entity };
  }
  if (shape === 'batch' && method === 'post' && takes(`${entity}Batch`)) return { kind: 'createMany', entity };
  if (shape === 'action' && method === 'post' && returns('202', 'WriteRecord'))
    return { kind: 'action', entity, action };
  return { kind: 'other' };
}
