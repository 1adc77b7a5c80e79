import type { Entity } from '@unified/contract';
import {
  documents,
  entityIn,
  type FilteredCustomField,
  type PageResult,
  page,
  type Scope,
  storedCustomFields,
} from '@unified/store';
import { select } from '../query/field-selection.ts';
import { namesCustomFields } from '../query/filter.ts';
import { type ListParameters, type ListQuery, type Paging, parseListQuery } from '../query/list-query.ts';
import { type Expansion, parseShape, type RecordShape, type ShapeParameters } from '../query/record-shape.ts';
import { entityOfOperation, recordText } from './addressed-entity.ts';
import type { DataContext } from './context.ts';

/** Parsed queries, by parameter object: cached requests share one. */
const understood = new WeakMap<ListParameters, ListQuery>();

/** Handles any list: adds the envelope to the documents as they are stored. */
export async function listRecords(request: { readonly query: ListParameters }, context: DataContext) {
  const entity = entityOfOperation(context);
  const { query, paging, shape } = understood.get(request.query) ?? (await understand(entity, request.query, context));
  const result = await page(context.scope, entity, query);
  const data = await shaped(`[${result.docs}]`, shape, context);
  return { status: 200, body: { json: `{"meta":${JSON.stringify(metaOf(result, paging))},"data":${data}}` } };
}

async function understand(
  entity: Entity,
  parameters: ListParameters,
  { sent, scope }: DataContext,
): Promise<ListQuery> {
  // What a custom field means depends on the connection, so the query is parsed again for each request.
  if (namesCustomFields(sent.filter))
    return parseListQuery(entity, parameters, sent, await customFieldsOf(scope, entity));
  const query = parseListQuery(entity, parameters, sent);
  understood.set(parameters, query);
  return query;
}

/** The custom fields of an entity; those of a view are those that all its members have with the same type. */
async function customFieldsOf(scope: Scope, entity: Entity): Promise<readonly FilteredCustomField[]> {
  if (!entity.view) return (await storedCustomFields(scope, [entity.name])).get(entity.name) ?? [];
  const members = [...new Set(entity.view.map((member) => member.entity))];
  const stored = await storedCustomFields(scope, members);
  const [first = [], ...others] = members.map((name) => stored.get(name) ?? []);
  const isShared = ({ name, type }: FilteredCustomField) =>
    others.every((fields) => fields.some((field) => field.name === name && field.type === type));
  return first.filter(isShared).map((field) => ({ ...field, isIndexed: false }));
}

function metaOf({ hasMore, nextCursor, total }: PageResult, { page, limit }: Paging) {
  return {
    current_page: page,
    per_page: limit,
    has_more: hasMore,
    next_cursor: nextCursor,
    ...(total !== undefined && { total, last_page: Math.max(1, Math.ceil(total / limit)) }),
  };
}

interface GetRequest {
  readonly path: { readonly id: string };
  readonly query: ShapeParameters;
}

/** Handles any get of one record. */
export async function getRecord({ path, query }: GetRequest, context: DataContext) {
  const entity = entityOfOperation(context);
  const shape = parseShape(entity, query);
  const text = await recordText(context.scope, entity, path.id);
  const data = await shaped(text, shape, context);
  return { status: 200, body: { json: `{"data":${data}}` } } as const;
}

type Doc = Record<string, unknown>;

/**
 * JSON text of a record or a list of records in the requested shape. Stored text is parsed only if the shape requires
 * it.
 */
async function shaped(text: string, shape: RecordShape, context: DataContext): Promise<string> {
  const { expansion, fields } = shape;
  if (expansion.size === 0 && fields === undefined) return text;
  const given: Doc | Doc[] = JSON.parse(text);
  const records = [given].flat().map((record) => (fields === undefined ? record : select(record, fields)));
  await expandRecords(context, records, expansion);
  return JSON.stringify(Array.isArray(given) ? records : records[0]);
}

interface Reference {
  readonly id: string;
  readonly rel: string;
}
/** The position of a reference to replace in a document: a property, or an index of a list. */
interface Place {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly reference: Reference;
  readonly inner: Expansion;
}

/** Replaces references by full records, level by level, with one query per kind of target and level. */
async function expandRecords(context: DataContext, docs: readonly Doc[], expansion: Expansion): Promise<void> {
  let places = docs.flatMap((doc) => placesIn(doc, expansion));
  while (places.length > 0) {
    const targets = await loadTargets(context, places);
    places = places.flatMap(({ holder, key, reference, inner }) => {
      const text = targets.get(reference.rel)?.get(reference.id);
      if (text === undefined) return [];
      // Each position gets its own copy: the same target may be expanded further in one place and not in another.
      const target: Doc = JSON.parse(text);
      holder[key] = target;
      return placesIn(target, inner);
    });
  }
}

function placesIn(doc: Doc, expansion: Expansion): Place[] {
  return [...expansion].flatMap(([name, inner]) => {
    const value = doc[name];
    if (Array.isArray(value)) {
      return value.flatMap((item, key) => (isReference(item) ? [place(value, key, item, inner)] : []));
    }
    return isReference(value) ? [place(doc, name, value, inner)] : [];
  });
}

function place(holder: object, key: string | number, reference: Reference, inner: Expansion): Place {
  return { holder: holder as Place['holder'], key, reference, inner };
}

function isReference(value: unknown): value is Reference {
  return typeof value === 'object' && value !== null && 'rel' in value && 'id' in value;
}

async function loadTargets({ scope }: DataContext, places: readonly Place[]) {
  const idsByKind = Map.groupBy(places, ({ reference }) => reference.rel);
  const loaded = [...idsByKind].map(async ([kind, group]) => {
    const ids = [...new Set(group.map(({ reference }) => reference.id))];
    return [kind, await documents(scope, entityIn(scope, kind), ids)] as const;
  });
  return new Map(await Promise.all(loaded));
}
