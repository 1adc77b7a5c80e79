import { type Store, saveEmbedSettings } from '@unified/store';
import { type FormValues, otherValues } from '../forms/connection-forms.ts';
import type { HttpResponse } from '../http-response.ts';
import type { BrowserSession } from './browser-session.ts';
import type { EmbedRequest } from './embed-request.ts';
import { connectedPage, failedPage } from './embedded-messages.ts';
import type { PageRequest } from './page-request.ts';
import type { Frame } from './views/layout.ts';

/** What an end user has allowed in a frame, with the values of the settings forms of the connection. */
interface Allowed {
  readonly request: EmbedRequest;
  readonly values: FormValues;
  readonly sentBy: PageRequest;
}

/** Stores the connection that an end user has allowed in a frame. Its application learns its id, and gets tokens for it itself. */
export async function connectEmbedded(
  store: Store,
  { content, client, connections, forms }: BrowserSession,
  frame: Frame,
  { request: { connectionId, endCustomerId }, values, sentBy }: Allowed,
): Promise<HttpResponse> {
  const { platform = '', settings = {} } = content;
  const by = { clientId: client.id, requestId: sentBy.requestId, address: sentBy.address };
  const stored = await connections.connectFor(endCustomerId, { platform, settings, connectionId }, by);
  if (stored === null) return failedPage(frame);
  if (forms.all.length > 0) {
    const all = { ...otherValues(forms.all, forms.saved), ...values };
    await saveEmbedSettings(store.application(client.applicationId), stored, all);
  }
  return connectedPage(frame, stored);
}
