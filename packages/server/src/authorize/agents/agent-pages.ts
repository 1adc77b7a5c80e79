import {
  createAgentRequest,
  grantAgentRequest,
  mcpUserByToken,
  type OpenAgentRequest,
  openAgentRequest,
  refuseAgentRequest,
  type Store,
} from '@unified/store';
import { AGENT_PATH } from '../../embedding.ts';
import type { HttpResponse } from '../../http-response.ts';
import { redirectAddress } from '../authorization-request.ts';
import type { Browsers } from '../browser.ts';
import { preferredLanguage } from '../language.ts';
import type { Form, PageRequest } from '../page-request.ts';
import { formTargetOf, messageResponse, page, redirect, refusedPage, returnedError } from '../page-responses.ts';
import { type AgentPageContent, agentPage } from '../views/agent-page.ts';
import { type FindAgentClient, hasRedirectUri, isDocumentAddress, isLoopback } from './agent-clients.ts';
import { isOfAgent, readAgentRequest } from './agent-request.ts';

/** The page on which a user of MCP authorizes an agent, with a personal access token. */
export interface AgentPages {
  /** Whether an authorization request is for MCP. */
  isFor(request: PageRequest): boolean;
  /** Stores the request of an agent and redirects to its page, or refuses the request. */
  begin(request: PageRequest): Promise<HttpResponse>;
  show(id: string, request: PageRequest): Promise<HttpResponse>;
  /** Grants or refuses the request, and returns to the agent. */
  act(id: string, action: string, request: PageRequest, form: Form): Promise<HttpResponse>;
}

interface Parts {
  readonly store: Store;
  readonly findClient: FindAgentClient;
  readonly browsers: Browsers;
  readonly publicUrl: string;
  /** Address of MCP. */
  readonly resource: string;
  /** Path of the public address. */
  readonly path: string;
  /** Path of the authorization pages as browsers see it. */
  readonly root: string;
}

/** What an action is carried out with. */
interface Sent {
  readonly open: OpenAgentRequest;
  readonly request: PageRequest;
  readonly form: Form;
  /** The value that forms of the page contain. */
  readonly formToken: string;
}

type Action = (parts: Parts, sent: Sent) => Promise<HttpResponse>;

const ACTIONS: Readonly<Record<string, Action>> = { allow, cancel };

export function createAgentPages(parts: Parts): AgentPages {
  const { store, browsers, resource, root } = parts;
  const message = (request: PageRequest, status: number, kind: 'ended' | 'forged' | 'missing') =>
    messageResponse(root, request, status, kind);

  /** An open request of this browser, and the value that its forms contain. */
  async function opened(id: string, { headers }: PageRequest) {
    const secret = browsers.secretOf(headers);
    const open = secret === undefined ? null : await openAgentRequest(store, id, secret);
    return open && secret !== undefined && { open, formToken: browsers.formToken(secret, id) };
  }

  return {
    isFor: ({ queryText }) => isOfAgent(queryText, resource),
    begin: (request) => begin(parts, request),
    async show(id, request) {
      const found = await opened(id, request);
      return found ? requestPage(parts, { ...found, request, form: {} }) : message(request, 410, 'ended');
    },
    async act(id, name, request, form) {
      const found = await opened(id, request);
      if (!found) return message(request, 410, 'ended');
      if (!browsers.isOwn(request.headers, form.token, found.formToken)) return message(request, 403, 'forged');
      const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
      return action ? action(parts, { ...found, request, form }) : message(request, 404, 'missing');
    },
  };
}

async function begin({ store, findClient, browsers, publicUrl, resource, root }: Parts, request: PageRequest) {
  const read = await readAgentRequest(findClient, request.queryText, resource);
  if (read.kind === 'refused') return refusedPage(root, request, read.reason);
  if (read.kind === 'error') return { ...returnedError(read, publicUrl, read.error, read.description), status: 302 };
  const known = browsers.secretOf(request.headers);
  const made = known === undefined ? browsers.newSecret() : undefined;
  const id = await createAgentRequest(store, { ...read.request, browser: known ?? made?.secret ?? '' });
  // The public path is added to the addresses of all operations.
  return redirect(`${AGENT_PATH}/${id}`, 302, made && { 'Set-Cookie': made.cookie });
}

/** Returns to the agent with a code, if the form has a valid token of a user of the application. */
async function allow(parts: Parts, sent: Sent): Promise<HttpResponse> {
  const { store, findClient, publicUrl, root } = parts;
  const { id, clientId, redirectUri, state } = sent.open;
  const [client, user] = await Promise.all([
    findClient(clientId),
    mcpUserByToken(store, sent.form.personalAccessToken?.trim() ?? ''),
  ]);
  // The document may have changed since the page was shown.
  if (!client || !hasRedirectUri(client, redirectUri))
    return refusedPage(root, sent.request, client ? 'redirect' : 'client');
  const isExpired = user?.expiresAt != null && Date.parse(user.expiresAt) <= Date.now();
  const isOther = client.applicationId !== undefined && client.applicationId !== user?.applicationId;
  if (!user || isExpired || isOther) return requestPage(parts, sent, true);
  const code = await grantAgentRequest(store, id, user);
  if (code === null) return messageResponse(root, sent.request, 410, 'ended');
  return redirect(redirectAddress(redirectUri, { code, state: state ?? undefined }, publicUrl));
}

async function cancel({ store, publicUrl, root }: Parts, { open, request }: Sent): Promise<HttpResponse> {
  if (!(await refuseAgentRequest(store, open.id))) return messageResponse(root, request, 410, 'ended');
  const { redirectUri, state } = open;
  const refused = 'The user refused the request.';
  return returnedError({ redirectUri, state: state ?? undefined }, publicUrl, 'access_denied', refused);
}

function requestPage({ root, path }: Parts, { open, request, formToken }: Sent, isRefused = false): HttpResponse {
  const { id, clientId, clientName, redirectUri } = open;
  const content: AgentPageContent = {
    name: clientName,
    site: isDocumentAddress(clientId) ? clientId : undefined,
    returnsTo: placeOf(new URL(redirectUri)),
    session: { path: `${path}${AGENT_PATH}/${id}`, token: formToken },
    isRefused,
  };
  const text = agentPage({ language: preferredLanguage(request), root }, content);
  return page(text, isRefused ? 422 : 200, { formTarget: formTargetOf(redirectUri) });
}

/** What the page calls the target of a redirect; undefined for a program on the user's computer. */
function placeOf(uri: URL): string | undefined {
  if (isLoopback(uri)) return undefined;
  return uri.origin === 'null' ? uri.protocol : uri.host;
}
