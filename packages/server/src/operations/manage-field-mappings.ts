import { type Request, ServiceError } from '@unified/contract';
import type { DraftedMapping, FieldMappings, ShownMapping } from '@unified/engine';
import { clientById } from '@unified/store';
import type { ManagementContext } from './context.ts';
import { once } from './once.ts';

/** Throws SERVICE_NOT_FOUND. */
export async function getFieldMapping({ path }: Request<'getFieldMapping'>, { mappings }: ManagementContext) {
  return found(await mappings.active(path.id, path.entity));
}

/** Throws SERVICE_NOT_FOUND, SERVICE_INVALID_BODY with every problem, and SERVICE_CONFLICT. */
export async function saveFieldMapping(request: Request<'saveFieldMapping'>, context: ManagementContext) {
  const { path, body } = request;
  const { application, clientId, mappings } = context;
  return once(request, context, async () => {
    const client = await clientById(application, clientId);
    const data = await mappings.save(path.id, path.entity, body, client?.name ?? null);
    return { data: described(data) };
  });
}

/** Newest first. Throws SERVICE_NOT_FOUND and SERVICE_INVALID_CURSOR. */
export async function listFieldMappingRevisions(
  { path, query }: Request<'listFieldMappingRevisions'>,
  { mappings }: ManagementContext,
) {
  const { per_page = 50, cursor } = query;
  const before = cursor === undefined ? undefined : revisionOf(cursor);
  const revisions = await mappings.revisions(path.id, path.entity, { before, limit: per_page + 1 });
  const data = revisions.slice(0, per_page).map(described);
  const last = revisions.length > per_page ? data.at(-1) : undefined;
  const next_cursor = last ? cursorOf(last.revision) : null;
  const meta = { current_page: null, per_page, has_more: last !== undefined, next_cursor };
  return { status: 200, body: { meta, data } } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function activateFieldMappingRevision(
  request: Request<'activateFieldMappingRevision'>,
  context: ManagementContext,
) {
  const { path, headers } = request;
  const { id, entity, revision } = path;
  const named = { path: { id, entity, revision: String(revision) }, headers, body: null };
  const activated = await once(named, context, async () => ({
    data: described(await context.mappings.activate(id, entity, revision)),
  }));
  return { ...activated, status: 200 } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function getCustomStreams({ path }: Request<'getCustomStreams'>, { mappings }: ManagementContext) {
  return streamsBody(await mappings.customStreams(path.id));
}

/** Throws SERVICE_NOT_FOUND, SERVICE_INVALID_BODY, and SERVICE_UNAVAILABLE while records are derived. */
export async function replaceCustomStreams(
  { path, body }: Request<'replaceCustomStreams'>,
  { mappings }: ManagementContext,
) {
  return streamsBody(await mappings.replaceCustomStreams(path.id, body.streams));
}

/** Throws the errors of `saveFieldMapping`, and those of the connected system. */
export async function testFetchFieldMapping(
  { path, body }: Request<'testFetchFieldMapping'>,
  { mappings }: ManagementContext,
) {
  const { limit = DEFAULT_LIMIT, ...sent } = body;
  const rows = await mappings.testFetch(path.id, path.entity, { ...sent, limit });
  return { status: 200, body: { data: { rows } } } as const;
}

/** Throws the errors of `saveFieldMapping`. */
export async function previewFieldMapping(
  { path, body }: Request<'previewFieldMapping'>,
  { mappings }: ManagementContext,
) {
  const { limit = DEFAULT_LIMIT, ...sent } = body;
  return { status: 200, body: { data: await mappings.preview(path.id, path.entity, { ...sent, limit }) } } as const;
}

/** Throws SERVICE_NOT_FOUND, and the errors of the connected system. */
export async function draftFieldMapping({ path, body }: Request<'draftFieldMapping'>, { mappings }: ManagementContext) {
  const data: DraftedMapping = await mappings.draft(path.id, path.entity, body.table);
  return { status: 200, body: { data } } as const;
}

/** Throws SERVICE_NOT_FOUND, SERVICE_INVALID_CURSOR, and the errors of the connected system. */
export async function listSourceTables({ path, query }: Request<'listSourceTables'>, { mappings }: ManagementContext) {
  const { table, cursor, per_page = DEFAULT_LIMIT } = query;
  const from = cursor === undefined ? null : positionOf(cursor);
  if (typeof from === 'number') throw invalidCursor();
  const { tables, next } = await mappings.sourceTables(path.id, { table, from, limit: per_page });
  const data = tables.map((each) => ({ ...each, fields: each.columns.map(({ name }) => name) }));
  const meta = {
    current_page: null,
    per_page,
    has_more: next !== null,
    next_cursor: next === null ? null : cursorOf(next),
  };
  return { status: 200, body: { meta, data } } as const;
}

const DEFAULT_LIMIT = 20;

function found(mapping: ShownMapping) {
  return { status: 200, body: { data: described(mapping) } } as const;
}

type Parts = NonNullable<Request<'saveFieldMapping'>['body']['parts']>;

/** A revision as the document describes it. Its parts were checked when it was saved. */
function described({ parts, ...mapping }: ShownMapping) {
  return { ...mapping, fields: { ...mapping.fields }, parts: parts as Parts };
}

function streamsBody(streams: Awaited<ReturnType<FieldMappings['customStreams']>>) {
  const data = streams.map(({ name, key, cursor }) => ({
    name,
    key: [...key],
    ...(cursor !== undefined && { cursor }),
  }));
  return { status: 200, body: { data: { streams: data } } } as const;
}

function cursorOf(position: unknown): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

/** The position in a cursor. Throws SERVICE_INVALID_CURSOR. */
function positionOf(cursor: string) {
  try {
    const position = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isNamed = typeof position === 'object' && position !== null && Object.values(position).every(isText);
    if (isNamed || isText(position) || typeof position === 'number') return position;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw invalidCursor();
}

function invalidCursor(): ServiceError {
  return new ServiceError('SERVICE_INVALID_CURSOR', 'The cursor is invalid. Start again without it.');
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function revisionOf(cursor: string): number {
  const position: unknown = positionOf(cursor);
  if (typeof position === 'number' && Number.isSafeInteger(position) && position > 0 && position < 2 ** 31)
    return position;
  throw invalidCursor();
}
