import { type Body, type Document, nameOf, resolve, type Schema } from './openapi.ts';

/** Which entity the records of a collection are: `work-orders` holds `WorkOrder`. In the order of the document. */
export type Collections = ReadonlyMap<string, string>;

const RECORD_PATH =
  /^\/(?<collection>[^/{}]+)(?:(?<batch>\/batch)|(?<item>\/\{id\}(?:\/actions\/(?<action>[^/{}]+))?))?$/;

/** What a path means to the entities. */
export interface EntityPath {
  /** The entity that it concerns. */
  readonly entity: string | undefined;
  /** Whether it is the address of one record, or of an action on one. */
  readonly item: boolean;
  /** Whether it is where many records are created at once. */
  readonly batch: boolean;
  readonly action: string | undefined;
}

/** What a path of the document concerns. */
export function entityAt(collections: Collections, path: string): EntityPath {
  const { collection = '', item, batch, action } = RECORD_PATH.exec(path)?.groups ?? {};
  return { entity: collections.get(collection), item: item !== undefined, batch: batch !== undefined, action };
}

/**
 * Finds the collections: addresses whose list answers `<Entity>Page` or whose records answer `<Entity>Answer`, where
 * the entity is a schema made from the shared `Entity` or a view of such schemas. (An older address may offer less than a list.)
 */
export function findCollections(document: Document): Collections {
  const collections = new Map<string, string>();
  for (const [path, item] of Object.entries(document.paths)) {
    const collection = RECORD_PATH.exec(path)?.groups?.collection;
    if (!collection || collections.has(collection) || path.includes('/actions/')) continue;
    const entity = Object.values(item)
      .map((node) => answeredEntity(document, node))
      .find(Boolean);
    if (entity) collections.set(collection, entity);
  }
  return collections;
}

function answeredEntity(document: Document, node: { responses?: Record<string, Body> }): string | undefined {
  for (const status of ['200', '201']) {
    const response = node.responses?.[status];
    const reference = response && resolve<Body>(document, response).content?.['application/json']?.schema?.$ref;
    const entity = reference && /^(.+)(?:Page|Answer)$/.exec(nameOf(reference))?.[1];
    if (entity && isEntity(document.components.schemas?.[entity])) return entity;
  }
  return undefined;
}

function isEntity(schema: Schema | undefined): boolean {
  if (schema?.['x-view']) return true;
  return schema?.allOf?.some(({ $ref }) => $ref !== undefined && nameOf($ref) === 'Entity') ?? false;
}
