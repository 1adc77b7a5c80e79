import { go, isNode, nameAt, type Place } from './place.ts';
import type { Context, Node, Visitor } from './redocly.ts';

export const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** What the rules ask of an operation. */
export interface Operation {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  /** `data` unless the tag says otherwise by `x-surface`. */
  readonly surface: string;
  /** The collection of the path: `vendors`. */
  readonly collection: string;
  /** Whether the path is a collection, one of its records, an action on one, or none of these. */
  readonly shape: 'collection' | 'item' | 'action' | 'other';
  readonly action: string;
  /** Entity whose records the collection holds, as its list and its records say. */
  readonly entity: string | undefined;
  readonly at: Place;
  readonly parameters: readonly string[];
  /** Statuses of the answers that are successes. */
  readonly successes: readonly string[];
  report(message: string, ...keys: readonly string[]): void;
}

/** A visitor that hands every operation of the document to a check, with the knowledge of the whole document. */
export function eachOperation(check: (operation: Operation, context: Context) => void): Visitor {
  let surfaces: Readonly<Record<string, string>> = {};
  return {
    Root(root) {
      surfaces = surfacesOf(root);
    },
    Paths(paths, context) {
      for (const operation of operationsOf(paths, context, surfaces)) check(operation, context);
    },
  };
}

function surfacesOf(root: Node): Readonly<Record<string, string>> {
  const tags = Array.isArray(root.tags) ? root.tags.filter(isNode) : [];
  return Object.fromEntries(tags.map((tag) => [String(tag.name), String(tag['x-surface'] ?? 'data')]));
}

function* operationsOf(paths: Node, context: Context, surfaces: Readonly<Record<string, string>>): Generator<Operation> {
  const root = { node: paths, location: context.location };
  const entities = entitiesOf(root, context);
  for (const path of Object.keys(paths)) {
    const item = go(context, root, path);
    for (const method of METHODS) {
      const at = go(context, item, method);
      if (item && at) yield read({ path, method, item, at, context, surfaces, entities });
    }
  }
}

interface Found {
  readonly path: string;
  readonly method: Operation['method'];
  readonly item: Place;
  readonly at: Place;
  readonly context: Context;
  readonly surfaces: Readonly<Record<string, string>>;
  readonly entities: ReadonlyMap<string, string>;
}

function read({ path, method, item, at, context, surfaces, entities }: Found): Operation {
  const id = String(at.node.operationId ?? `${method} ${path}`);
  const [tag] = Array.isArray(at.node.tags) ? at.node.tags : [];
  const { collection, shape, action } = shapeOf(path);
  return {
    id,
    method,
    path,
    collection,
    shape,
    action,
    at,
    surface: surfaces[String(tag)] ?? 'data',
    entity: entities.get(collection),
    parameters: [...parameterNames(context, item), ...parameterNames(context, at)],
    successes: Object.keys(go(context, at, 'responses')?.node ?? {}).filter((status) => /^2/.test(status)),
    report: (message, ...keys) =>
      context.report({ message: `${id}: ${message}`, location: (go(context, at, ...keys) ?? at).location }),
  };
}

function shapeOf(path: string): Pick<Operation, 'collection' | 'shape' | 'action'> {
  const [collection = '', parameter, actions, action = '', ...rest] = path.slice(1).split('/');
  if (parameter === undefined) return { collection, shape: 'collection', action };
  if (parameter.startsWith('{') && actions === undefined) return { collection, shape: 'item', action };
  const isAction = parameter.startsWith('{') && actions === 'actions' && action && rest.length === 0;
  return { collection, shape: isAction ? 'action' : 'other', action };
}

function parameterNames(context: Context, owner: Place): readonly string[] {
  const list = Array.isArray(owner.node.parameters) ? owner.node.parameters : [];
  return list.map((_, index) => String(go(context, owner, 'parameters', index)?.node.name));
}

/** Which entity the records of each collection are: what its first list or record answers. */
function entitiesOf(root: Place, context: Context): ReadonlyMap<string, string> {
  const entities = new Map<string, string>();
  for (const path of Object.keys(root.node)) {
    const { collection, shape } = shapeOf(path);
    if (shape !== 'collection' && shape !== 'item') continue;
    const entity = METHODS.map((method) => answeredEntity(context, go(context, root, path, method))).find(Boolean);
    if (entity && !entities.has(collection)) entities.set(collection, entity);
  }
  return entities;
}

function answeredEntity(context: Context, operation: Place | undefined): string | undefined {
  for (const status of ['200', '201']) {
    const keys = ['responses', status, 'content', 'application/json', 'schema'];
    const records = dataOf(context, go(context, operation, ...keys));
    if (!records) continue;
    const key = records.node.items ? 'items' : 'data';
    const holder = key === 'items' ? records : records;
    const name = key === 'items' ? nameAt(context, holder, 'items') : undefined;
    if (name) return name;
  }
  return undefined;
}

function dataOf(_context: Context, _schema: Place | undefined): Place | undefined {
  return undefined;
}
