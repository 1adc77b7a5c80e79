import { type Html, html } from '../../html.ts';
import { catalogs, type Language } from '../language.ts';

/** How a page looks for a specific application. */
export interface Appearance {
  /** Name of the application. */
  readonly name: string;
  readonly hasLogo: boolean;
  /** `#rrggbb`; null means the default. */
  readonly color: string | null;
  readonly supportUrl: string | null;
  readonly termsUrl: string | null;
}

/** What every page of a session needs. */
export interface Frame {
  readonly language: Language;
  /** Path of the authorization pages, without a trailing slash. */
  readonly root: string;
  readonly appearance: Appearance;
  /** Path of the session, without a trailing slash, and the value that its forms contain. */
  readonly session: { readonly path: string; readonly token: string };
  /** Origin of the page that shows this one in a frame, if any. */
  readonly embedder?: string | undefined;
}

/** What an embedded page reports to the page that embeds it; see the chapter on embedding in the document. */
export type ParentMessage =
  | { readonly event: 'ready' | 'ended' }
  | { readonly event: 'exit'; readonly reason: 'cancelled' }
  | { readonly event: 'success'; readonly connectionId: string };

/** A page of a session: a step of the authorization, counted from 0. */
export interface Step {
  readonly step: number;
  readonly title: string;
  readonly body: Html;
  /** Whether the page changes without an action of the user, until the next page. */
  readonly isChanging?: boolean;
}

/** A page of a session with its frame: the application, the steps, and links. */
export function stepPage(frame: Frame, { step, title, body, isChanging = false }: Step): string {
  const { language, session, appearance } = frame;
  const texts = catalogs[language];
  const steps = texts.steps.map((name, index) => {
    const state = index < step ? 'past' : index === step ? 'now' : 'next';
    return html`<li class="${state}"${state === 'now' && html` aria-current="step"`}><span class="dot" aria-hidden="true">${state === 'past' ? '✓' : index + 1}</span> <span class="step-name">${name}${state === 'past' && html`<span class="unseen"> (${texts.isDone})</span>`}</span></li>`;
  });
  const cancel = action(frame, 'cancel', texts.cancel, 'plain');
  const refresh = isChanging && html`<noscript><meta http-equiv="refresh" content="2"></noscript>`;
  return pageDocument(
    { ...frame, message: { event: 'ready' } },
    {
      title: `${title} – ${appearance.name}`,
      head: html`${refresh}`,
      body: html`<nav aria-label="${texts.stepsLabel}"><ol class="steps">${steps}</ol></nav>
<main class="card" id="content">${body}</main>
<footer>${cancel}${links(frame)}
<form class="languages" method="post" action="${session.path}/language">${token(frame)}${languageButtons(frame)}</form></footer>`,
    },
  );
}

/** A final page with a message. It needs no session. */
export function messagePage(
  frame: Framed,
  { title, lead, detail }: { readonly title: string; readonly lead: string; readonly detail?: string | undefined },
): string {
  return pageDocument(frame, {
    title,
    body: html`<main class="card message" id="content"><h1>${title}</h1><p>${lead}</p>${detail !== undefined && html`<p class="quiet">${detail}</p>`}</main>
<footer>${frame.appearance && links({ language: frame.language, appearance: frame.appearance })}</footer>`,
  });
}

interface Document {
  readonly title: string;
  readonly head?: Html;
  readonly body: Html;
}

/** What a page without a session needs. */
export interface Framed extends Pick<Frame, 'language' | 'root' | 'embedder'> {
  readonly appearance?: Appearance | undefined;
  readonly session?: Frame['session'];
  /** Reported to the page that embeds this one. */
  readonly message?: ParentMessage;
}

export function pageDocument(framed: Framed, { title, head, body }: Document): string {
  const { language, root, appearance, session } = framed;
  const color = appearance?.color ?? null;
  const brand = appearance && session;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${root}/page.css">
${color !== null && html`<link rel="stylesheet" href="${root}/color.css?is=${color.slice(1)}">`}
<script type="module" src="${root}/${framed.embedder === undefined ? 'page' : 'embedded'}.js"></script>
${head}
</head>
<body${parentAttributes(framed)}>
${
  brand &&
  html`<header class="brand">${
    appearance.hasLogo
      ? html`<img src="${session.path}/logo" alt="" height="40">`
      : html`<span class="initial" aria-hidden="true">${initialOf(appearance.name)}</span>`
  }<span>${appearance.name}</span></header>`
}
${body}
</body>
</html>
`.text;
}

/** The script of the page sends the message only to this origin. */
function parentAttributes({ language, embedder, message }: Framed): Html {
  if (embedder === undefined) return html``;
  return html` data-embedder="${embedder}" data-failed="${catalogs[language].broken}"${message && html` data-message="${JSON.stringify(message)}"`}`;
}

function links({ language, appearance }: Pick<Frame, 'language' | 'appearance'>): Html {
  const texts = catalogs[language];
  const link = (url: string | null, name: string) =>
    url !== null && html`<a href="${url}" rel="noopener noreferrer" target="_blank">${name}</a>`;
  return html`<span class="links">${link(appearance.supportUrl, texts.help)}${link(appearance.termsUrl, texts.terms)}</span>`;
}

function languageButtons({ language }: Frame): Html {
  const buttons = Object.entries(catalogs).map(
    ([tag, { language: name }]) =>
      html`<button class="plain" name="language" value="${tag}" lang="${tag}"${tag === language && html` aria-current="true"`}>${name}</button>`,
  );
  return html`<span class="unseen">${catalogs[language].languages}</span>${buttons}`;
}

/** The first letter of a name, shown in place of a logo. */
export function initialOf(name: string): string {
  return [...name.trim()][0]?.toUpperCase() ?? '?';
}

/** The hidden field that proves that a form was created for this authorization, which protects against forged requests. */
export function token({ session }: Pick<Frame, 'session'>): Html {
  return html`<input type="hidden" name="token" value="${session.token}">`;
}

/** Shows the current state of the session. In an embedded page this is a form, because the address does not show it. */
export function showAgain(frame: Frame, text: string, look: 'button' | ''): Html {
  if (frame.embedder !== undefined) return action(frame, 'show', text, '');
  return html`<a class="${look}" href="${frame.session.path}">${text}</a>`;
}

/** A button that carries out an action of the session. */
export function action(
  frame: Pick<Frame, 'session'>,
  name: string,
  text: string,
  look: 'primary' | 'plain' | '',
): Html {
  return html`<form method="post" action="${frame.session.path}/${name}">${token(frame)}<button class="${look}">${text}</button></form>`;
}
