import { type Request, ServiceError } from '@unified/contract';
import {
  lockEmbedSupportRequest,
  setEmbedSupportStatus,
  listEmbedSupportRequests as storedQuestions,
  listSupportRequests as storedRequests,
  createEmbedSupportRequest as storeQuestion,
  createSupportRequest as storeRequest,
} from '@unified/store';
import { requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { once } from './once.ts';

/** Newest first. */
export async function listSupportRequests(
  { query }: Request<'listSupportRequests'>,
  { application }: ManagementContext,
) {
  const { per_page = 50, cursor } = query;
  const rows = await storedRequests(application, { before: idOfCursor(cursor), limit: per_page + 1 });
  return { status: 200, body: idPage(rows, per_page) } as const;
}

/** Throws SERVICE_INVALID_BODY for a connection that the application does not have. */
export async function createSupportRequest(request: Request<'createSupportRequest'>, context: ManagementContext) {
  return once(request, context, () =>
    context.audited(async (application, record) => {
      const data = await storeRequest(application, request.body);
      if (!data) throw unknownConnection();
      const { connectionId = null } = request.body;
      await record({ action: 'support_request.create', target: data.id, after: { ...data, connectionId } });
      return { data };
    }),
  );
}

/** Newest first. */
export async function listEmbedSupportRequests(
  { query }: Request<'listEmbedSupportRequests'>,
  { application }: ManagementContext,
) {
  const { per_page = 50, cursor, status, connectionId } = query;
  const wanted = { status, connectionId, before: idOfCursor(cursor), limit: per_page + 1 };
  return { status: 200, body: idPage(await storedQuestions(application, wanted), per_page) } as const;
}

/** Throws SERVICE_INVALID_BODY for a connection that the application does not have. */
export async function createEmbedSupportRequest(
  request: Request<'createEmbedSupportRequest'>,
  context: ManagementContext,
) {
  return once(request, context, () =>
    context.audited(async (application, record) => {
      const data = await storeQuestion(application, request.body);
      if (!data) throw unknownConnection();
      await record({ action: 'embed_support_request.create', target: data.id, after: data });
      return { data };
    }),
  );
}

/** Throws SERVICE_NOT_FOUND. */
export async function updateEmbedSupportRequest(
  { path, body }: Request<'updateEmbedSupportRequest'>,
  { audited }: ManagementContext,
) {
  const { requestId: id } = path;
  return audited(async (application, record) => {
    const before = await lockEmbedSupportRequest(application, id);
    const data = await setEmbedSupportStatus(application, id, body.status);
    if (!data) throw new ServiceError('SERVICE_NOT_FOUND', 'There is no question with this id.');
    await record({ action: 'embed_support_request.update', target: id, before, after: data });
    return { status: 200, body: { data } } as const;
  });
}

function unknownConnection(): ServiceError {
  return requestError('SERVICE_INVALID_BODY', 'body/connectionId', 'There is no connection with this id.');
}
