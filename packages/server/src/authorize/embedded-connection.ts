import { otherValues } from '../forms/connection-forms.ts';
import type { HttpResponse } from '../http-response.ts';
import type { BrowserSession } from './browser-session.ts';
import type { EmbedRequest } from './embed-request.ts';
import { connectedPage, failedPage } from './embedded-messages.ts';
import type { PageRequest } from './page-request.ts';
import type { Consent } from './session-endings.ts';
import type { Frame } from './views/layout.ts';

/** What an end user has allowed in a frame. */
interface Allowed extends Consent {
  readonly request: EmbedRequest;
  readonly sentBy: PageRequest;
}

/**
 * Stores the connection that an end user has allowed in a frame. The application gets the id of the connection, and requests
 * tokens for it itself.
 */
export async function connectEmbedded(
  { content, client, connections, forms }: BrowserSession,
  frame: Frame,
  { request: { connectionId, endCustomerId }, values, allowDuplicate, sentBy }: Allowed,
): Promise<HttpResponse> {
  const { platform = '', settings = {} } = content;
  const by = { clientId: client.id, requestId: sentBy.requestId, address: sentBy.address };
  const formValues = forms.all.length === 0 ? undefined : { ...otherValues(forms.all, forms.saved), ...values };
  const system = { platform, settings, connectionId, allowDuplicate };
  const stored = await connections.connectFor({ endCustomerId, formValues }, system, by);
  return stored === null ? failedPage(frame) : connectedPage(frame, stored);
}
