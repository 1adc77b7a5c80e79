import { addressOf } from '@unified/contract';
import { authorizingClient, createAuthorizationSession, setupLinkByToken } from '@unified/store';
import { SETUP_PATH } from '../embedding.ts';
import type { HttpResponse } from '../http-response.ts';
import type { Content } from './browser-session.ts';
import { preferredLanguage } from './language.ts';
import type { PageParts } from './page-parts.ts';
import type { PageRequest } from './page-request.ts';
import { messageResponse, page, redirect } from './page-responses.ts';
import type { SetupRequest } from './setup-request.ts';
import { setupPage } from './views/setup-page.ts';

/** The page of a setup link, and the start of its session. A program that only reads the address does not use up the link. */
export interface SetupPages {
  show(token: string, request: PageRequest): Promise<HttpResponse>;
  /** Creates a session of the browser and redirects to its page. */
  begin(token: string, request: PageRequest): Promise<HttpResponse>;
}

export function createSetupPages(parts: PageParts): SetupPages {
  const { store, browsers, root } = parts;

  /** An open link and its client; null if it cannot be used. */
  async function usable(token: string) {
    const link = await setupLinkByToken(store, token);
    const client = link?.isOpen ? await authorizingClient(store, link.clientId) : null;
    return link && client && { link, client };
  }
  const ended = (request: PageRequest) => messageResponse(root, request, 410, 'ended');

  return {
    async show(token, request) {
      const found = await usable(token);
      if (!found) return ended(request);
      const language = preferredLanguage(request);
      const name = found.client.whitelabel?.productName ?? found.client.name;
      const path = `${root.slice(0, root.length - addressOf('authorize').length)}${SETUP_PATH}/${token}`;
      return page(setupPage({ language, root }, { name, path }));
    },
    async begin(token, request) {
      if (!browsers.isOwnPage(request.headers)) return messageResponse(root, request, 403, 'forged');
      const found = await usable(token);
      if (!found) return ended(request);
      const { id: setupLinkId, endCustomerId, platform, clientId } = found.link;
      const wanted: SetupRequest = { setupLinkId, endCustomerId, platform };
      const content = JSON.stringify({ request: wanted, platform } satisfies Content);
      const known = browsers.secretOf(request.headers);
      const made = known === undefined ? browsers.newSecret() : undefined;
      const browser = known ?? made?.secret ?? '';
      const id = await createAuthorizationSession(store, { clientId, browser, content });
      return redirect(`${root}/${id}`, 303, made && { 'Set-Cookie': made.cookie });
    },
  };
}
