import type { AgentRequest } from '@unified/store';
import { MCP_SCOPE } from '../../oauth/access-tokens.ts';
import type { ReadAuthorization } from '../authorization-request.ts';
import { commonFault, fault, type RequestFault, returnedState } from '../request-faults.ts';
import { RequestParameters } from '../request-parameters.ts';
import { type FindAgentClient, hasRedirectUri } from './agent-clients.ts';

/** The result of reading a request of an agent. */
export type ReadAgentRequest =
  | { readonly kind: 'valid'; readonly request: AgentRequest }
  | { readonly kind: 'refused'; readonly reason: RequestFault }
  | Exclude<ReadAuthorization, { readonly kind: 'valid' }>;

/** Whether a request is one of an agent: it names the address of MCP or its scope. */
export function isOfAgent(queryText: string, resource: string): boolean {
  const sent = new RequestParameters(queryText);
  return sent.single('resource') === resource || sent.single('scope') === MCP_SCOPE;
}

/** Reads a request of an agent from the text after the `?`. */
export async function readAgentRequest(
  findClient: FindAgentClient,
  queryText: string,
  resource: string,
): Promise<ReadAgentRequest> {
  const sent = new RequestParameters(queryText);
  const clientId = sent.single('client_id');
  const client = clientId === undefined ? null : await findClient(clientId);
  if (!client || clientId === undefined) return { kind: 'refused', reason: 'client' };
  const redirectUri = sent.single('redirect_uri');
  if (redirectUri === undefined || !hasRedirectUri(client, redirectUri)) return { kind: 'refused', reason: 'redirect' };
  const wrong = commonFault(sent) ?? ownFault(sent, resource);
  // Anyone can publish a document: without a page that a user has seen, its addresses are not a target of redirects.
  if (wrong && client.applicationId === undefined) return { kind: 'refused', reason: wrong };
  if (wrong) return { kind: 'error', ...wrong, redirectUri, state: returnedState(sent) };
  const [state = null, challenge = ''] = [sent.single('state'), sent.single('code_challenge')];
  return { kind: 'valid', request: { clientId, clientName: client.name, redirectUri, state, challenge } };
}

/** The first fault of what only requests of agents have. Their clients have no secret, so each needs a challenge. */
function ownFault(sent: RequestParameters, resource: string): RequestFault | undefined {
  if ((sent.single('scope') ?? MCP_SCOPE) !== MCP_SCOPE) return fault('invalid_scope', `scope must be ${MCP_SCOPE}.`);
  if ((sent.single('resource') ?? resource) !== resource)
    return fault('invalid_target', `resource must be ${resource}.`);
  if (sent.single('code_challenge') === undefined)
    return fault('invalid_request', 'Send code_challenge and code_challenge_method=S256 (PKCE).');
  return undefined;
}
