import { METHODS, type PathShape, shapeOf, surfacesOf } from '../../packages/contract/generate/conventions.ts';
import { type Entity, entitiesOf, go, isNode, type Place } from './place.ts';
import type { Context, Node, Visitor } from './redocly.ts';

/** What the rules need to know about an operation. */
export interface Operation extends PathShape {
  readonly id: string;
  readonly method: (typeof METHODS)[number];
  readonly path: string;
  /** `data`, unless the tag has `x-surface`. */
  readonly surface: string;
  /** Entity of the collection, derived from its list and its records. */
  readonly entity: Entity | undefined;
  readonly at: Place;
  readonly parameters: readonly string[];
  /** Statuses of the successful responses. */
  readonly successes: readonly string[];
  /** Reports a problem of the operation, or of what it has under these keys. */
  report(message: string, ...keys: readonly string[]): void;
}

/** A visitor that passes every operation to a check, together with the whole document. */
export function eachOperation(check: (operation: Operation, context: Context) => void): Visitor {
  let surfaces: ReadonlyMap<string, string> = new Map();
  return {
    Root(root) {
      surfaces = surfacesOf(Array.isArray(root.tags) ? root.tags.filter(isNode) : []);
    },
    Paths(paths, context) {
      for (const operation of operationsOf(paths, context, surfaces)) check(operation, context);
    },
  };
}

function* operationsOf(paths: Node, context: Context, surfaces: ReadonlyMap<string, string>): Generator<Operation> {
  const root = { node: paths, location: context.location };
  const entities = entitiesOf(context, root);
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
  readonly method: (typeof METHODS)[number];
  readonly item: Place;
  readonly at: Place;
  readonly context: Context;
  readonly surfaces: ReadonlyMap<string, string>;
  readonly entities: ReadonlyMap<string, Entity>;
}

function read({ path, method, item, at, context, surfaces, entities }: Found): Operation {
  const id = String(at.node.operationId ?? `${method} ${path}`);
  const [tag] = Array.isArray(at.node.tags) ? at.node.tags : [];
  return {
    id,
    method,
    path,
    ...shapeOf(path),
    at,
    surface: surfaces.get(String(tag)) ?? 'data',
    entity: entities.get(shapeOf(path).collection),
    parameters: [...parameterNames(context, item), ...parameterNames(context, at)],
    successes: Object.keys(go(context, at, 'responses')?.node ?? {}).filter((status) => /^2/.test(status)),
    report: (message, ...keys) => {
      const present = keys[0] !== undefined && keys[0] in at.node;
      context.report({ message: `${id}: ${message}`, location: present ? at.location.child(keys) : at.location });
    },
  };
}

function parameterNames(context: Context, owner: Place): readonly string[] {
  const list = Array.isArray(owner.node.parameters) ? owner.node.parameters : [];
  return list.map((_, index) => String(go(context, owner, 'parameters', index)?.node.name));
}
