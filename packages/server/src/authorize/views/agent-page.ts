import { html } from '../../html.ts';
import { catalogs } from '../language.ts';
import { action, type Framed, pageDocument, token } from './layout.ts';

/** An agent that a user is asked to authorize. */
export interface AgentPageContent {
  readonly name: string;
  /** Address that describes the agent; undefined for a client of the application. */
  readonly site: string | undefined;
  /** Where the user returns to: a host or the protocol of a program; undefined for a program on the user's computer. */
  readonly returnsTo: string | undefined;
  readonly session: { readonly path: string; readonly token: string };
  /** Whether the token that was entered is not valid. */
  readonly isRefused: boolean;
}

/** The page on which a user allows an agent to act, by entering a personal access token. */
export function agentPage(framed: Framed, { name, site, returnsTo, session, isRefused }: AgentPageContent): string {
  const texts = catalogs[framed.language];
  const title = texts.agentTitle(name);
  const target = returnsTo === undefined ? texts.agentOnThisComputer : texts.agentReturns(returnsTo);
  const label = texts.personalAccessToken;
  return pageDocument(framed, {
    title,
    body: html`<main class="card" id="content"><h1>${title}</h1>
<p class="lead">${texts.agentLead(name)}</p>
<p class="note">${site !== undefined && html`${texts.agentFrom(name, site)} `}${target}</p>
${isRefused && html`<div class="alert" role="alert"><h2>${texts.correct}</h2><ul><li><a href="#personal-access-token">${label}</a></li></ul></div>`}
<form id="allow" method="post" action="${session.path}/allow" autocomplete="off" novalidate>${token({ session })}
<div class="field"><label for="personal-access-token">${label}</label><input type="password" id="personal-access-token" name="personalAccessToken" required autocomplete="off" spellcheck="false" maxlength="200" aria-describedby="note"${isRefused && html` aria-invalid="true"`}><p class="hint" id="note">${isRefused && html`<span class="error">${texts.tokenRefused}</span>`}<span>${texts.tokenHint(name)}</span></p></div>
</form>
<div class="actions">${action({ session }, 'cancel', texts.cancel, '')}<button class="primary" form="allow">${texts.allow}</button></div></main>`,
  });
}
