import { type Request, ServiceError } from '@unified/contract';
import {
  lockRedirectUri,
  RedirectUriTaken,
  deleteRedirectUri as removeUri,
  replaceRedirectUri as saveUri,
  listRedirectUris as storedUris,
  addRedirectUri as storeUri,
} from '@unified/store';
import { quoted, requestError } from '../request-error.ts';
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
  return once(request, context, () =>
    context.audited(async (application, record) => {
      const data = await storeUri(application, path.clientId, body.uri).catch(uriTaken);
      if (!data) throw noClient();
      await record({ action: 'redirect_uri.create', target: data.id, after: { ...data, clientId: path.clientId } });
      return { data };
    }),
  );
}

/** Throws SERVICE_INVALID_BODY, SERVICE_NOT_FOUND and SERVICE_ALREADY_EXISTS. */
export async function replaceRedirectUri(
  { path, body }: Request<'replaceRedirectUri'>,
  { audited }: ManagementContext,
) {
  checkRedirectUri(body.uri);
  const { clientId, redirectUriId: id } = path;
  return audited(async (application, record) => {
    const before = await lockRedirectUri(application, clientId, id);
    const data = await saveUri(application, { clientId, id }, body.uri).catch(uriTaken);
    if (!data) throw noUri();
    const states = { before: { ...before, clientId }, after: { ...data, clientId } };
    await record({ action: 'redirect_uri.replace', target: id, ...states });
    return { status: 200, body: { data } } as const;
  });
}

/** Throws SERVICE_NOT_FOUND. */
export async function deleteRedirectUri({ path }: Request<'deleteRedirectUri'>, { audited }: ManagementContext) {
  const { clientId, redirectUriId: id } = path;
  return audited(async (application, record) => {
    const before = await removeUri(application, clientId, id);
    if (!before) throw noUri();
    await record({ action: 'redirect_uri.delete', target: id, before: { ...before, clientId } });
    return { status: 204 } as const;
  });
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Pages name the host in their content security policy, in which `*`, `;`, `,` and `'` have a special meaning. */
const HOST_NAME = /^[a-z0-9.-]+$|^\[[0-9a-f:.]+\]$/;

/** Parameters that are added to the address. If one occurs twice, an application may read the wrong one. */
const OF_RESPONSES = ['code', 'state', 'iss', 'error', 'error_description'];

/** Codes are sent to this address, so they must be encrypted in transit, or stay on the user's machine. */
function checkRedirectUri(uri: string): void {
  const { protocol, hostname, searchParams } = new URL(uri);
  if (uri.includes('#')) throw refused('A redirect URI must not have a fragment. Remove it.');
  if (!HOST_NAME.test(hostname)) {
    throw refused(`${quoted(hostname)} is not the name of a host. Use letters, digits, hyphens and dots only.`);
  }
  const reserved = OF_RESPONSES.find((name) => searchParams.has(name));
  if (reserved !== undefined) {
    throw refused(`The parameter ${reserved} is added to the address by the authorization. Remove it.`);
  }
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
