import type { AuthorizationRequest, ConnectRequest } from './authorization-request.ts';
import type { EmbedRequest } from './embed-request.ts';

/** A request of a person who connects a system for an end customer with a setup link. */
export interface SetupRequest extends ConnectRequest {
  readonly setupLinkId: string;
  readonly endCustomerId: string;
  readonly platform: string;
}

/** What a session began with. */
export type SessionRequest = AuthorizationRequest | EmbedRequest | SetupRequest;

/** Whether a session began with a setup link. */
export function isSetup(request: SessionRequest): request is SetupRequest {
  return 'setupLinkId' in request;
}
