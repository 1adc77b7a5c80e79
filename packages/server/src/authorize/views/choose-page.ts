import { html } from '../../html.ts';
import { catalogs } from '../language.ts';
import { type Frame, initialOf, showAgain, stepPage, token } from './layout.ts';

/** A system that can be chosen. */
export interface Choice {
  readonly id: string;
  readonly name: string;
  readonly description: string;
}

/** The list of systems, filtered by a text. */
export function choosePage(frame: Frame, choices: readonly Choice[], search: string): string {
  const texts = catalogs[frame.language];
  const { session, appearance } = frame;
  const shown = matching(choices, search);
  const target =
    frame.embedder === undefined
      ? html` method="get" action="${session.path}"`
      : html` method="post" action="${session.path}/show"`;
  const systems = shown.map(
    ({ id, name, description }, index) =>
      html`<li><button class="system" name="platform" value="${id}" aria-describedby="about-${index}"><span class="initial" aria-hidden="true">${initialOf(name)}</span><span class="system-name">${name}</span><span class="quiet" id="about-${index}">${description}</span></button></li>`,
  );
  return stepPage(frame, {
    step: 0,
    title: texts.chooseTitle,
    body: html`<h1>${texts.chooseTitle}</h1>
<p class="lead">${texts.chooseLead(appearance.name)}</p>
<form class="search"${target} role="search">${frame.embedder !== undefined && token(frame)}<label class="unseen" for="search">${texts.search}</label><input id="search" name="search" type="search" value="${search}" placeholder="${texts.search}" autocomplete="off" spellcheck="false" maxlength="100"><button>${texts.find}</button></form>
<p class="unseen" role="status">${texts.found(shown.length)}</p>
${
  shown.length === 0
    ? html`<div>${texts.notFound(search)} ${showAgain(frame, texts.showAll, '')}</div>`
    : html`<form method="post" action="${session.path}/platform">${token(frame)}<ul class="systems">${systems}</ul></form>`
}`,
  });
}

/** Systems whose name or description contains every word of a text. */
function matching(choices: readonly Choice[], search: string): readonly Choice[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return choices.filter(({ name, description }) => {
    const text = `${name} ${description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
