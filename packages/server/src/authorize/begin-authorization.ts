import { addressOf } from '@unified/contract';
import type { Engine } from '@unified/engine';
import { createAuthorizationSession, type Store } from '@unified/store';
import type { HttpResponse } from '../http-response.ts';
import { type ReadAuthorization, readAuthorizationRequest, redirectAddress } from './authorization-request.ts';
import type { Browsers } from './browser.ts';
import type { Content } from './browser-session.ts';
import type { PageRequest } from './page-request.ts';
import { redirect, refusedPage } from './page-responses.ts';

interface Parts {
  readonly store: Store;
  readonly engine: Engine;
  readonly browsers: Browsers;
  readonly publicUrl: string;
  /** Path of the pages as browsers see it. */
  readonly root: string;
}

/** Responds to an authorization request: creates a session and redirects to its page, or refuses the request. */
export async function beginAuthorization(parts: Parts, request: PageRequest): Promise<HttpResponse> {
  const { store, browsers, publicUrl, root } = parts;
  const read = await readAuthorizationRequest(store, request.queryText, publicUrl);
  if (read.kind === 'refused') return refusedPage(root, request, read.reason);
  if (read.kind === 'error') return errorRedirect(read, publicUrl);
  const first = await firstContent(parts, read);
  if (typeof first === 'string') {
    const { redirectUri, state } = read.request;
    return errorRedirect({ error: 'invalid_request', description: first, redirectUri, state }, publicUrl);
  }
  const known = browsers.secretOf(request.headers);
  const made = known === undefined ? browsers.newSecret() : undefined;
  const browser = known ?? made?.secret ?? '';
  const content = JSON.stringify(first);
  const id = await createAuthorizationSession(store, { clientId: read.client.id, browser, content });
  // The public path is added to the addresses of all operations.
  return redirect(`${addressOf('authorize')}/${id}`, 302, made && { 'Set-Cookie': made.cookie });
}

/** The content of a new session, or a text that explains why there is none. */
async function firstContent(
  { store, engine }: Parts,
  { client, request }: Extract<ReadAuthorization, { kind: 'valid' }>,
): Promise<Content | string> {
  const connections = engine.authorizedConnectionsOf(store.application(client.applicationId));
  const { connectionId, platform } = request;
  if (connectionId === undefined) {
    if (platform !== undefined && !connections.offered(platform)) return 'There is no such platform.';
    return { request, platform };
  }
  const connection = await connections.connection(connectionId);
  if (!connection) return 'There is no such connection.';
  if (platform !== undefined && platform !== connection.platform) return 'The connection is to another platform.';
  return { request, platform: connection.platform };
}

type RequestError = Omit<Extract<ReadAuthorization, { kind: 'error' }>, 'kind'>;

function errorRedirect({ error, description, redirectUri, state }: RequestError, publicUrl: string): HttpResponse {
  return redirect(redirectAddress(redirectUri, { error, error_description: description, state }, publicUrl), 302);
}
