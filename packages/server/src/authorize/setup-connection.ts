import { endSetupLink, type Store, useSetupLink } from '@unified/store';
import type { HttpResponse } from '../http-response.ts';
import type { BrowserSession } from './browser-session.ts';
import { catalogs } from './language.ts';
import type { PageRequest } from './page-request.ts';
import { page } from './page-responses.ts';
import type { SetupRequest } from './setup-request.ts';
import { type Frame, messagePage } from './views/layout.ts';

/** What a person has allowed through a setup link. */
interface Allowed {
  readonly request: SetupRequest;
  readonly allowDuplicate: boolean;
  readonly sentBy: PageRequest;
}

/** Stores the connection for the end customer, and uses up the link. */
export async function connectBySetup(
  store: Store,
  { content, client, connections }: BrowserSession,
  frame: Frame,
  { request: { setupLinkId, endCustomerId }, allowDuplicate, sentBy }: Allowed,
): Promise<HttpResponse> {
  if (!(await useSetupLink(store, setupLinkId))) return setupMessage(frame, 'ended');
  const { platform = '', settings = {} } = content;
  const by = { clientId: client.id, requestId: sentBy.requestId, address: sentBy.address };
  const connecting = connections.connectFor({ endCustomerId }, { platform, settings, allowDuplicate }, by);
  const stored = await connecting.catch(async (error: unknown) => {
    // The link can be used again, because nothing was connected with it.
    await endSetupLink(store, setupLinkId, null);
    throw error;
  });
  await endSetupLink(store, setupLinkId, stored);
  return setupMessage(frame, stored === null ? 'failed' : 'connected');
}

/** The last page of a setup link. */
export function setupMessage(frame: Frame, kind: 'connected' | 'failed' | 'ended'): HttpResponse {
  const texts = catalogs[frame.language];
  const shown = {
    connected: { title: texts.connectedTitle, lead: texts.connected(frame.appearance.name) },
    failed: { title: texts.brokenTitle, lead: texts.broken },
    ended: { title: texts.endedTitle, lead: texts.ended },
  };
  return page(messagePage(frame, shown[kind]));
}
