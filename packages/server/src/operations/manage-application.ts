import { type Request, ServiceError } from '@unified/contract';
import {
  type ApplicationSettings,
  applicationSettings,
  changeApplicationSettings,
  lockApplicationSettings,
} from '@unified/store';
import type { ManagementContext } from './context.ts';

/** The application of the request. */
export async function getApplication(_request: unknown, { application }: ManagementContext) {
  return found(await applicationSettings(application));
}

/** Absent settings stay unchanged. */
export async function updateApplication({ body }: Request<'updateApplication'>, { audited }: ManagementContext) {
  return audited(async (application, record) => {
    const before = await lockApplicationSettings(application);
    const after = await changeApplicationSettings(application, body);
    await record({ action: 'application.update', target: application.applicationId, before, after });
    return found(after);
  });
}

function found(data: ApplicationSettings | null) {
  if (data) return { status: 200, body: { data } } as const;
  throw new ServiceError('SERVICE_UNAUTHORIZED', 'The application of this token no longer exists.');
}
