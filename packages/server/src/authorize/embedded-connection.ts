import type { HttpResponse } from '../http-response.ts';
import type { BrowserSession } from './browser-session.ts';
import type { EmbedRequest } from './embed-request.ts';
import { connectedPage, failedPage } from './embedded-messages.ts';
import type { Frame } from './views/layout.ts';

/** Stores the connection that an end user has allowed in a frame. Its application learns its id, and gets tokens for it itself. */
export async function connectEmbedded(
  { content, client, connections }: BrowserSession,
  frame: Frame,
  { connectionId, endCustomerId }: EmbedRequest,
): Promise<HttpResponse> {
  const { platform = '', settings = {} } = content;
  const stored = await connections.connectFor(endCustomerId, { platform, settings, connectionId }, client.id);
  return stored === null ? failedPage(frame) : connectedPage(frame, stored);
}
