import type { Request } from '@unified/contract';
import { listSupportRequests as storedRequests, createSupportRequest as storeRequest } from '@unified/store';
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
    if (!data) throw requestError('SERVICE_INVALID_BODY', 'body/connectionId', 'There is no connection with this id.');
    return { data };
  });
}
