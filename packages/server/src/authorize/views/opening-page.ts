import { html } from '../../html.ts';
import { catalogs } from '../language.ts';
import { type Framed, pageDocument } from './layout.ts';

/**
 * The page whose script reads the token from its own address, from a part that browsers do not send, and opens a session with
 * it.
 */
export function openingPage(framed: Framed, path: string): string {
  const texts = catalogs[framed.language];
  return pageDocument(framed, {
    title: texts.openingTitle,
    body: html`<main class="card message" id="content"><form id="open" method="post" action="${path}/open"><input type="hidden" name="token"></form>
<p role="status">${texts.openingTitle}</p><noscript><p>${texts.needsScript}</p></noscript></main>`,
  });
}
