import { type Request, ServiceError } from '@unified/contract';
import { pageOfRequestLog, pageOfSystemCalls, requestLogById } from '@unified/store';
import type { ManagementContext } from './context.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { timeOf } from './time-of.ts';

/** Newest first. Throws SERVICE_INVALID_PARAMETER. */
export async function listRequestLogs({ query }: Request<'listRequestLogs'>, { application }: ManagementContext) {
  const { per_page = 50, cursor, connectionId, operation, status } = query;
  const rows = await pageOfRequestLog(application, {
    ...{ connectionId, operation, status, before: idOfCursor(cursor), limit: per_page + 1 },
    ...{ since: timeOf('since', query.since), until: timeOf('until', query.until) },
  });
  return { status: 200, body: idPage(rows, per_page) } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function getRequestLog({ path }: Request<'getRequestLog'>, { application }: ManagementContext) {
  const data = await requestLogById(application, path.logId);
  if (!data) throw new ServiceError('SERVICE_NOT_FOUND', 'There is no logged request with this id.');
  return { status: 200, body: { data } } as const;
}

/** Newest first. Throws SERVICE_INVALID_PARAMETER. */
export async function listSystemCalls({ query }: Request<'listSystemCalls'>, { application }: ManagementContext) {
  const { per_page = 50, cursor, connectionId, writeId, purpose, failed } = query;
  const rows = await pageOfSystemCalls(application, {
    ...{ connectionId, writeId, purpose, failed, before: idOfCursor(cursor), limit: per_page + 1 },
    ...{ since: timeOf('since', query.since), until: timeOf('until', query.until) },
  });
  return { status: 200, body: idPage(rows, per_page) } as const;
}
