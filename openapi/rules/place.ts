import {
  bodyName as bodyNameBy,
  entitiesByCollection,
  type FoundEntity,
  type Reader,
  responseName as responseNameBy,
} from '../../packages/contract/generate/conventions.ts';
import type { Context, Location, Node } from './redocly.ts';

/** A node of the document and its location, to follow references in it and report problems at it. */
export interface Place {
  readonly node: Node;
  readonly location: Location;
}

/** Follows keys downwards, and every `$ref` on the way and at the end. Undefined where there is nothing. */
export function go(
  context: Context,
  from: Place | undefined,
  ...keys: readonly (string | number)[]
): Place | undefined {
  let at = from && target(context, from);
  for (const key of keys) at = at && target(context, child(at, key));
  return at;
}

/** Name at the end of the `$ref` under these keys: `Vendor` for `#/schemas/Vendor`. Undefined where there is none. */
export function nameAt(
  context: Context,
  from: Place | undefined,
  ...keys: readonly (string | number)[]
): string | undefined {
  const last = keys.at(-1) ?? '';
  const parent = go(context, from, ...keys.slice(0, -1));
  const reference = parent && isNode(parent.node[last]) ? parent.node[last].$ref : undefined;
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : undefined;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function child({ node, location }: Place, key: string | number): Place | undefined {
  const value = node[key];
  return isNode(value) ? { node: value, location: location.child([key]) } : undefined;
}

function target(context: Context, place: Place | undefined): Place | undefined {
  if (!place || typeof place.node.$ref !== 'string') return place;
  const { node, location } = context.resolve(place.node, place.location.source.absoluteRef);
  return isNode(node) && location ? target(context, { node, location }) : undefined;
}

/** An entity, and where its schema is defined. */
export type Entity = FoundEntity<Place>;

/** Reads the files of the document according to its conventions. */
function readerOf(context: Context): Reader<Place> {
  return {
    at: (from, ...keys) => go(context, from, ...keys),
    nameAt: (from, ...keys) => nameAt(context, from, ...keys),
    node: ({ node }) => node,
  };
}

/** The entity of each collection; `paths` is the node of that name. */
export function entitiesOf(context: Context, paths: Place): ReadonlyMap<string, Entity> {
  return entitiesByCollection(readerOf(context), paths);
}

/** Name of the schema that an operation returns with this status. */
export function responseName(context: Context, operation: Place, status: string): string | undefined {
  return responseNameBy(readerOf(context), operation, status);
}

/** Name of the schema of the body of an operation. */
export function bodyName(context: Context, operation: Place): string | undefined {
  return bodyNameBy(readerOf(context), operation);
}
