import type { Entity } from '@unified/contract';
import type { RowOf } from '@unified/engine';
import {
  budgetOf,
  externalValuesOf,
  type FilteredCustomField,
  joinedPage,
  type PageResult,
  page,
  recordsState,
  type Scope,
  storedCustomFields,
} from '@unified/store';
import { select } from '../query/field-selection.ts';
import { namesCustomFields } from '../query/filter.ts';
import { labelledText, withoutHiddenLabels } from '../query/hidden-labels.ts';
import { type ListParameters, type ListQuery, type Paging, parseListQuery } from '../query/list-query.ts';
import { parseShape, type RecordShape, type ShapeParameters } from '../query/record-shape.ts';
import type { Narrow, NarrowedEntity } from '../query/token-access.ts';
import { entityOfOperation, recordText } from './addressed-entity.ts';
import type { DataContext } from './context.ts';
import { type Doc, expandRecords } from './expand-records.ts';
import { listBody } from './list-body.ts';
import { ResponseTooLarge } from './response-too-large.ts';
import { listTag, notModified, recordTag, taggedHeaders } from './tagged.ts';
import { takingTurns } from './taking-turns.ts';

/** Parsed queries, by what the token gives access to and by parameter object, which cached requests share. */
const understood = new WeakMap<Narrow, WeakMap<ListParameters, ListQuery>>();

/**
 * Handles any list: adds the envelope to the documents as they are stored. If the records of a page exceed the size limit of a
 * response, the page ends early if it was requested with a cursor. A numbered page is refused instead, since the next one would
 * skip records.
 */
export async function listRecords(request: { readonly query: ListParameters }, context: DataContext) {
  const entity = entityOfOperation(context);
  const { query, paging, shape } =
    understood.get(context.narrow)?.get(request.query) ?? (await understand(entity, request.query, context));
  const { scope, preconditions } = context;
  // `*` matches any page, but the page must be read first, because the request may be refused.
  if (
    isTagged(context, shape) &&
    preconditions.ifNoneMatch?.trim() !== '*' &&
    preconditions.ifNoneMatch !== undefined
  ) {
    const unchanged = notModified(context, listTag(context, await recordsState(scope)));
    if (unchanged) return unchanged;
  }
  const read = isStored(entity, shape) ? readStored : readShaped;
  const { found, ...body } = await read(entity, { query, paging, shape }, context);
  if (!isTagged(context, shape)) return { status: 200, body };
  const tag = listTag(context, found.state);
  return notModified(context, tag) ?? { status: 200, body, headers: taggedHeaders(tag) };
}

/** Whether records are returned as they are stored. */
function isStored(
  { showsLabelOf }: NarrowedEntity,
  { expansion, fields, externalValues, lineage }: RecordShape,
): boolean {
  return expansion.size === 0 && fields === undefined && !externalValues && !lineage && !showsLabelOf;
}

async function readStored(
  entity: NarrowedEntity,
  { query, paging }: ListQuery,
  { scope, largestResponse }: DataContext,
) {
  const { joined, bytes, ...found } = await joinedPage(scope, entity, query, budgetOf(largestResponse));
  if (found.isCut && !mayEndEarly(paging)) throw new ResponseTooLarge(largestResponse);
  // The metadata are ASCII.
  const isAscii = bytes === joined.length;
  return { found, json: listBody(metaOf(found, paging), joined), isAscii };
}

async function readShaped(entity: NarrowedEntity, { query, paging, shape }: ListQuery, context: DataContext) {
  const { scope, largestResponse } = context;
  const found = await page(scope, entity, query, budgetOf(largestResponse));
  if (found.isCut && !mayEndEarly(paging)) throw new ResponseTooLarge(largestResponse);
  const texts = await shaped(found.docs, shape, context, mayEndEarly(paging));
  return { found, json: listBody(metaOf(endedAfter(found, texts.length), paging), texts) };
}

/** A numbered page must not end early, since the next one would skip records. */
function mayEndEarly({ cursor }: Paging): boolean {
  return cursor !== null;
}

/** Custom fields of the connected system, values of data mappings, and lineage change without a change to the record. */
function isTagged({ sent }: DataContext, { externalValues, lineage }: RecordShape): boolean {
  return !externalValues && !lineage && !namesCustomFields(sent.filter);
}

/** A page that ends after this number of its records. */
function endedAfter(found: PageResult, count: number): PageResult {
  if (count === found.count) return found;
  return { ...found, hasMore: true, nextCursor: found.cursorAfter(count) };
}

async function understand(
  entity: Entity,
  parameters: ListParameters,
  { sent, scope, narrow }: DataContext,
): Promise<ListQuery> {
  // The meaning of a custom field depends on the connection, so the query is parsed again for each request.
  if (namesCustomFields(sent.filter))
    return parseListQuery(entity, parameters, sent, { customFields: await customFieldsOf(scope, entity), narrow });
  const query = parseListQuery(entity, parameters, sent, { narrow });
  const same = understood.get(narrow) ?? new WeakMap<ListParameters, ListQuery>();
  understood.set(narrow, same.set(parameters, query));
  return query;
}

/** The custom fields of an entity. A view has those that all its members have with the same type. */
async function customFieldsOf(scope: Scope, entity: Entity): Promise<readonly FilteredCustomField[]> {
  if (!entity.field.customFields) return [];
  if (!entity.view) return (await storedCustomFields(scope, [entity.name])).get(entity.name) ?? [];
  const members = [...new Set(entity.view.map((member) => member.entity))];
  const stored = await storedCustomFields(scope, members);
  const [first = [], ...others] = members.map((name) => stored.get(name) ?? []);
  const isShared = ({ name, type }: FilteredCustomField) =>
    others.every((fields) => fields.some((field) => field.name === name && field.type === type));
  return first.filter(isShared).map((field) => ({ ...field, isIndexed: false }));
}

function metaOf(
  { hasMore, nextCursor, total }: Pick<PageResult, 'hasMore' | 'nextCursor' | 'total'>,
  { page, limit }: Paging,
) {
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
  const shape = parseShape(entity, query, context.narrow);
  const text = labelledText(entity, await recordText(context.scope, entity, path.id));
  const [data] = await shaped([text], shape, context, false);
  const tag = recordTag(entity, text, data ?? text);
  const unchanged = notModified(context, tag);
  if (unchanged) return unchanged;
  return { status: 200, body: { json: `{"data":${data}}` }, headers: taggedHeaders(tag) } as const;
}

/**
 * JSON texts of records in the requested shape. Stored texts are parsed only if the shape requires it. If a list may end early,
 * only the first texts are returned when all of them together exceed the size limit of a response. Throws `ResponseTooLarge`.
 */
async function shaped(
  docs: readonly string[],
  shape: RecordShape,
  context: DataContext,
  mayEndEarly: boolean,
): Promise<readonly string[]> {
  const { expansion, fields, externalValues, lineage } = shape;
  const entity = entityOfOperation(context);
  if (isStored(entity, shape)) return docs;
  const turn = takingTurns();
  const records: Doc[] = [];
  const sources: RowOf[] = [];
  for (const doc of docs) {
    const record = withoutHiddenLabels(entity, JSON.parse(doc));
    records.push(fields === undefined ? record : select(record, fields));
    sources.push(rowOf(entity, record));
    await turn();
  }
  for (let count = records.length; ; count = Math.ceil(count / 2)) {
    const part = records.slice(0, count);
    const valued = externalValues ? await withExternalValues(context, part) : part;
    const whole = valued && lineage ? await withLineage(context, valued, sources) : valued;
    const texts = whole && (await expandRecords(context, whole, expansion));
    if (texts) return texts;
    if (count <= 1 || !mayEndEarly) throw new ResponseTooLarge(context.largestResponse);
  }
}

/**
 * The records with their values in data mappings, which are read with one query; undefined if the values exceed the size limit
 * of a response.
 */
async function withExternalValues(context: DataContext, records: readonly Doc[]): Promise<Doc[] | undefined> {
  const entity = entityOfOperation(context);
  const kinds = entity.view?.map((member) => member.entity) ?? [entity.name];
  const ids = records.map(({ id }) => String(id));
  const budget = budgetOf(context.largestResponse);
  const values = await externalValuesOf(context.scope, kinds, ids, budget);
  if (budget.isExceeded) return undefined;
  return records.map((record) => ({ ...record, externalValues: values.get(String(record.id)) ?? [] }));
}

/** The row that a record was derived from. A view contains records of several entities. */
function rowOf({ name }: Entity, { _source, _idValue, _implements }: Doc): RowOf {
  const kinds: readonly unknown[] = Array.isArray(_implements) ? _implements : [];
  return { entity: String(kinds.at(-1) ?? name), _source: String(_source), _idValue: String(_idValue) };
}

/** The records with the lineage of the fields that they have. */
async function withLineage(
  { engine, scope }: DataContext,
  records: readonly Doc[],
  sources: readonly RowOf[],
): Promise<Doc[]> {
  const lineages = await engine.lineage(scope, sources.slice(0, records.length));
  return records.map((record, index) => {
    const shown = Object.entries(lineages[index] ?? {}).filter(([name]) => Object.hasOwn(record, name));
    return { ...record, lineage: Object.fromEntries(shown) };
  });
}
