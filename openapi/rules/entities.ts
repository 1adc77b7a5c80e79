import { METHODS, shapeOf } from './paths.ts';
import { go, isNode, nameAt, type Place } from './place.ts';
import type { Context } from './redocly.ts';
import { propertiesOf } from './schema.ts';

/** A kind of record: the name of its schema, and the schema. */
export interface Entity {
  readonly name: string;
  readonly schema: Place;
}

/**
 * The entity of each collection: `<Entity>` where its list answers `<Entity>Page` or its records answer
 * `<Entity>Answer`, and the records are made from the shared `Entity` or a view of such records.
 */
export function entitiesOf(context: Context, paths: Place): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>();
  for (const path of Object.keys(paths.node)) {
    const { collection, shape } = shapeOf(path);
    if (entities.has(collection) || (shape !== 'collection' && shape !== 'item')) continue;
    const entity = METHODS.map((method) => answered(context, go(context, paths, path, method))).find(Boolean);
    if (entity) entities.set(collection, entity);
  }
  return entities;
}

/** Name of the schema that an operation answers this status with. */
export function answerName(context: Context, operation: Place | undefined, status: string): string | undefined {
  return nameAt(context, operation, 'responses', status, 'content', 'application/json', 'schema');
}

/** Name of the schema that an operation takes as its body. */
export function bodyName(context: Context, operation: Place | undefined): string | undefined {
  return nameAt(context, operation, 'requestBody', 'content', 'application/json', 'schema');
}

function answered(context: Context, operation: Place | undefined): Entity | undefined {
  for (const status of ['200', '201']) {
    const name = /^(.+)(?:Page|Answer)$/.exec(answerName(context, operation, status) ?? '')?.[1];
    const answer = go(context, operation, 'responses', status, 'content', 'application/json', 'schema');
    const schema = recordOf(context, answer);
    if (name && schema && isEntity(schema)) return { name, schema };
  }
  return undefined;
}

/** Schema of the records under `data`: of a single one, or of the items of a list. */
function recordOf(context: Context, answer: Place | undefined): Place | undefined {
  const data = go(context, propertiesOf(context, answer).get('data'));
  return data?.node.items ? go(context, data, 'items') : data;
}

function isEntity(schema: Place): boolean {
  if ('x-view' in schema.node) return true;
  const parts = Array.isArray(schema.node.allOf) ? schema.node.allOf : [];
  return parts.some((part) => isNode(part) && /\/Entity$/.test(String(part.$ref)));
}
