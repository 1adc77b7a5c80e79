import { html } from '../../html.ts';
import { catalogs } from '../language.ts';
import { type Framed, pageDocument } from './layout.ts';

/** The first page of a setup link, with the name of the application and the path of the link. */
export function setupPage(framed: Framed, { name, path }: { readonly name: string; readonly path: string }): string {
  const texts = catalogs[framed.language];
  return pageDocument(framed, {
    title: texts.setupTitle(name),
    body: html`<main class="card message" id="content"><h1>${texts.setupTitle(name)}</h1><p>${texts.setupLead(name)}</p>
<form method="post" action="${path}"><button class="primary">${texts.setupStart}</button></form></main>`,
  });
}
