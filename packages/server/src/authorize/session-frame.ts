import type { BrowserSession } from './browser-session.ts';
import { isEmbedded } from './embed-request.ts';
import { languageOf, preferredLanguage } from './language.ts';
import type { PageRequest } from './page-request.ts';
import type { Frame } from './views/layout.ts';

/**
 * What the pages of a session need. `root` is the path of their files; `at` contains the path of the session and the value for
 * its forms.
 */
export function sessionFrame(session: BrowserSession, request: PageRequest, root: string, at: Frame['session']): Frame {
  const { content, client } = session;
  const { name, whitelabel } = client;
  return {
    language: content.language ?? languageOf(content.request.locale) ?? preferredLanguage(request),
    ...{ root, session: at },
    ...(isEmbedded(content.request) && { embedder: content.request.origin }),
    appearance: {
      name: whitelabel?.productName ?? name,
      hasLogo: logoOf(session) !== null,
      color: whitelabel?.primaryColor ?? null,
      supportUrl: whitelabel?.supportUrl ?? null,
      termsUrl: whitelabel?.termsUrl ?? null,
    },
  };
}

/** The address of the logo of a client; null if it has none. */
export function logoOf({ client }: Pick<BrowserSession, 'client'>): string | null {
  return client.whitelabel?.logoUrl ?? client.logoUrl;
}
