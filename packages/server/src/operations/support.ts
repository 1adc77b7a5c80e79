import { type Request, ServiceError } from '@unified/contract';
import {
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
  return once(request, context, async () => {
    const data = await storeRequest(context.application, request.body);
    if (!data) throw unknownConnection();
    return { data };
  });
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
  return once(request, context, async () => {
    const data = await storeQuestion(context.application, request.body);
    if (!data) throw unknownConnection();
    return { data };
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function updateEmbedSupportRequest(
  { path, body }: Request<'updateEmbedSupportRequest'>,
  { application }: ManagementContext,
) {
  const data = await setEmbedSupportStatus(application, path.requestId, body.status);
  if (data) return { status: 200, body: { data } } as const;
  throw new ServiceError('SERVICE_NOT_FOUND', 'There is no question with this id.');
}

function unknownConnection(): ServiceError {
  return requestError('SERVICE_INVALID_BODY', 'body/connectionId', 'There is no connection with this id.');
}
