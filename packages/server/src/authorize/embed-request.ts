import type { ConnectRequest } from './authorization-request.ts';

/** A request of an application that shows the pages in a frame, as its server created it. */
export interface EmbedRequest extends ConnectRequest {
  /** The only origin whose pages can embed them. */
  readonly origin: string;
  readonly endCustomerId: string;
  /** Ids of the platforms that are offered; all if absent. */
  readonly platforms?: readonly string[] | undefined;
}

/** Whether the pages of a request are shown in a frame. */
export function isEmbedded(request: ConnectRequest): request is EmbedRequest {
  return 'origin' in request;
}

/** Whether a request allows the end user to choose this platform. */
export function offers(request: ConnectRequest, platform: string): boolean {
  return !isEmbedded(request) || (request.platforms?.includes(platform) ?? true);
}
