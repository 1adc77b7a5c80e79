import { type Request, ServiceError } from '@unified/contract';
import {
  RedirectUriTaken,
  deleteRedirectUri as removeUri,
  replaceRedirectUri as saveUri,
  listRedirectUris as storedUris,
  addRedirectUri as storeUri,
} from '@unified/store';
import { requestError } from '../request-error.ts';
import type { ManagementContext } from './context.ts';
import { noClient } from './manage-clients.ts';
import { once } from './once.ts';

/** Oldest first. Throws SERVICE_NOT_FOUND. */
export async function listRedirectUris({ path }: Request<'listRedirectUris'>, { application }: ManagementContext) {
  const data = await storedUris(application, path.clientId);
  if (!data) throw noClient();
  return { status: 200, body: { meta: {}, data } } as const;
}

/** Throws SERVICE_INVALID_BODY, SERVICE_NOT_FOUND and SERVICE_ALREADY_EXISTS. */
export async function addRedirectUri(request: Request<'addRedirectUri'>, context: ManagementContext) {
  const { path, body } = request;
  checkRedirectUri(body.uri);
  return once(request, context, async () => {
    const data = await storeUri(context.application, path.clientId, body.uri).catch(uriTaken);
    if (!data) throw noClient();
    return { data };
  });
}

/** Throws SERVICE_INVALID_BODY, SERVICE_NOT_FOUND and SERVICE_ALREADY_EXISTS. */
export async function replaceRedirectUri(
  { path, body }: Request<'replaceRedirectUri'>,
  { application }: ManagementContext,
) {
  checkRedirectUri(body.uri);
  const entry = { clientId: path.clientId, id: path.redirectUriId };
  const data = await saveUri(application, entry, body.uri).catch(uriTaken);
  if (!data) throw noUri();
  return { status: 200, body: { data } } as const;
}

/** Throws SERVICE_NOT_FOUND. */
export async function deleteRedirectUri({ path }: Request<'deleteRedirectUri'>, { application }: ManagementContext) {
  if (!(await removeUri(application, path.clientId, path.redirectUriId))) throw noUri();
  return { status: 204 } as const;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Codes are sent to this address, so they must be encrypted on the way, or stay on the machine of the user. */
function checkRedirectUri(uri: string): void {
  const { protocol, hostname } = new URL(uri);
  if (uri.includes('#')) throw refused('A redirect URI has no fragment. Remove it.');
  if (protocol !== 'https:' && !LOOPBACK.has(hostname)) {
    throw refused('Use https. http is allowed for localhost, 127.0.0.1 and [::1] only.');
  }
}

function refused(message: string): ServiceError {
  return requestError('SERVICE_INVALID_BODY', 'body/uri', message);
}

function noUri(): ServiceError {
  return new ServiceError('SERVICE_NOT_FOUND', 'The client has no redirect URI with this id.');
}

function uriTaken(error: unknown): never {
  if (!(error instanceof RedirectUriTaken)) throw error;
  throw new ServiceError('SERVICE_ALREADY_EXISTS', error.message);
}
