import type { AuthorizationRequest, ConnectRequest } from './authorization-request.ts';
import type { EmbedRequest } from './embed-request.ts';

/** A person connects a system for an end customer with a setup link. */
export interface SetupRequest extends ConnectRequest {
  readonly setupLinkId: string;
  readonly endCustomerId: string;
  readonly platform: string;
}

/** What has begun a session. */
export type SessionRequest = AuthorizationRequest | EmbedRequest | SetupRequest;

/** Whether a session was begun with a setup link. */
export function isSetup(request: SessionRequest): request is SetupRequest {
  return 'setupLinkId' in request;
}
