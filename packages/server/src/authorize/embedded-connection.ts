import { type AuditOrigin, audited, type Store, saveEmbedSettings } from '@unified/store';
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
    const { clientId: actor, ...sent } = by;
    const origin: AuditOrigin = { actorType: 'end_user', actor, operation: 'authorize', ...sent };
    await audited(store, origin, async (within, record) => {
      await saveEmbedSettings(within.application(client.applicationId), stored, all);
      // The values belong to the end customer, and may be secret.
      const after = { fields: Object.keys(all) };
      await record(client.applicationId, { action: 'embed_settings.save', target: stored, after });
    });
  }
  return connectedPage(frame, stored);
}
