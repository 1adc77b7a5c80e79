import { ServiceError } from '@unified/contract';
import type { Store } from '@unified/store';
import type { FormValues } from '../forms/connection-forms.ts';
import type { HttpResponse } from '../http-response.ts';
import { type AuthorizationRequest, redirectAddress } from './authorization-request.ts';
import type { BrowserSession } from './browser-session.ts';
import { type EmbedRequest, isEmbedded } from './embed-request.ts';
import { connectEmbedded } from './embedded-connection.ts';
import { cancelledPage, failedPage } from './embedded-messages.ts';
import type { Form, PageRequest } from './page-request.ts';
import { redirect, returnedError } from './page-responses.ts';
import { connectBySetup, setupMessage } from './setup-connection.ts';
import { isSetup, type SetupRequest } from './setup-request.ts';
import type { Frame } from './views/layout.ts';

/** Services that the end of a session needs. */
export interface EndingParts {
  readonly store: Store;
  readonly publicUrl: string;
}

/** A form that a page of the session has sent. */
export interface SentForm {
  readonly session: BrowserSession;
  readonly frame: Frame;
  readonly form: Form;
  readonly request: PageRequest;
}

/** What an end user has confirmed. */
export interface Consent {
  /** Values of the settings forms. */
  readonly values: FormValues;
  /** Whether the application may have a second connection to the same system. */
  readonly allowDuplicate: boolean;
}

/** How a session ends: with a page that reports to the application embedding it, or with a redirect to the application. */
interface Ending {
  /** The end user has allowed the use of the system. Rejects if that fails. */
  allow(consent: Consent): Promise<HttpResponse>;
  failed(): HttpResponse;
  cancelled(): HttpResponse;
}

export function endingOf(parts: EndingParts, sent: SentForm): Ending {
  const { request } = sent.session.content;
  if (isEmbedded(request)) return inFrame(sent, request);
  return isSetup(request) ? bySetup(parts, sent, request) : byRedirect(parts, sent, request);
}

function inFrame({ session, frame, request: sentBy }: SentForm, request: EmbedRequest): Ending {
  return {
    allow: (consent) => connectEmbedded(session, frame, { ...consent, request, sentBy }),
    failed: () => failedPage(frame),
    cancelled: () => cancelledPage(frame),
  };
}

function bySetup({ store }: EndingParts, { session, frame, request: sentBy }: SentForm, request: SetupRequest): Ending {
  return {
    allow: ({ allowDuplicate }) => connectBySetup(store, session, frame, { request, allowDuplicate, sentBy }),
    failed: () => setupMessage(frame, 'failed'),
    cancelled: () => setupMessage(frame, 'ended'),
  };
}

function byRedirect({ publicUrl }: EndingParts, sent: SentForm, request: AuthorizationRequest): Ending {
  return {
    async allow({ allowDuplicate }) {
      try {
        return await returnedCode(publicUrl, sent, request, allowDuplicate);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'SERVICE_RATE_LIMITED') throw error;
        return returnedError(request, publicUrl, 'temporarily_unavailable', error.message);
      }
    },
    failed: () => returnedError(request, publicUrl, 'server_error', 'The authorization failed. Start again.'),
    cancelled: () => returnedError(request, publicUrl, 'access_denied', 'The end user cancelled the authorization.'),
  };
}

/** Issues a code for the system. The connection is stored when the application redeems it. */
async function returnedCode(
  publicUrl: string,
  { session: { content, client, connections }, request: sent }: SentForm,
  request: AuthorizationRequest,
  allowDuplicate: boolean,
): Promise<HttpResponse> {
  const { platform = '', settings = {} } = content;
  const { redirectUri, challenge, connectionId, state } = request;
  const system = { platform, settings, connectionId, allowDuplicate };
  const sentBy = { requestId: sent.requestId, address: sent.address };
  const code = await connections.authorize(system, { clientId: client.id, redirectUri, challenge }, sentBy);
  return redirect(redirectAddress(redirectUri, { code, state }, publicUrl));
}
