import { type Request, ServiceError } from '@unified/contract';
import {
  ClientEmailTaken,
  clientById,
  lockClient,
  updateClient as saveClient,
  registerClient as storeClient,
  listClients as storedClients,
} from '@unified/store';
import type { ManagementContext } from './context.ts';
import { idOfCursor, idPage } from './id-page.ts';
import { once } from './once.ts';

/** The error for a client that the application does not have. */
export function noClient(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'There is no client with this id.');
}

/** Registers a client. Throws SERVICE_ALREADY_EXISTS if another one has its email address. */
export async function registerClient(request: Request<'registerClient'>, context: ManagementContext) {
  return once(request, context, () =>
    context.audited(async (application, record) => {
      const data = await storeClient(application, request.body).catch(emailTaken);
      await record({ action: 'client.create', target: data.id, after: data });
      return { data };
    }),
  );
}

/** Clients of the application, oldest first. */
export async function listClients({ query }: Request<'listClients'>, { application }: ManagementContext) {
  const { per_page = 50, cursor, email } = query;
  const rows = await storedClients(application, { email, after: idOfCursor(cursor), limit: per_page + 1 });
  return { status: 200, body: idPage(rows, per_page) } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function getClient({ path }: Request<'getClient'>, { application }: ManagementContext) {
  const data = await clientById(application, path.clientId);
  if (!data) throw noClient();
  return { status: 200, body: { data } } as const;
}

/** Changes the fields that are sent. Throws SERVICE_NOT_FOUND and SERVICE_ALREADY_EXISTS. */
export async function updateClient({ path, body }: Request<'updateClient'>, { audited }: ManagementContext) {
  const { clientId } = path;
  return audited(async (application, record) => {
    const before = await lockClient(application, clientId);
    const data = await saveClient(application, clientId, body).catch(emailTaken);
    if (!data) throw noClient();
    await record({ action: 'client.update', target: clientId, before, after: data });
    return { status: 200, body: { data } } as const;
  });
}

function emailTaken(error: unknown): never {
  if (!(error instanceof ClientEmailTaken)) throw error;
  throw new ServiceError('SERVICE_ALREADY_EXISTS', `${error.message} Use that client, or another address.`);
}
