import type { SettingField } from '@unified/engine';
import { html } from '../../html.ts';
import { catalogs } from '../language.ts';
import { type EnteredForm, formField } from './form-field.ts';
import { action, type Frame, stepPage, token } from './layout.ts';

/** The form of a system, filled with what was entered before. Secrets are never part of it. */
export interface SignInForm extends EnteredForm {
  readonly system: string;
  readonly fields: readonly SettingField[];
  /** Whether the access to an existing connection is renewed. */
  readonly isRenewal: boolean;
  /** Whether the end user can choose another system. */
  readonly canGoBack: boolean;
  /** An error that does not belong to a single field. */
  readonly error?: string | undefined;
}

export function signInPage(frame: Frame, form: SignInForm): string {
  const texts = catalogs[frame.language];
  const { system, fields, wrong, isRenewal, canGoBack, error } = form;
  const field = (each: SettingField) => formField(frame.language, each, form);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  const isOpen = optional.some(({ name }) => wrong.has(name));
  return stepPage(frame, {
    step: 1,
    title: texts.signInTitle(system),
    body: html`<h1>${texts.signInTitle(system)}</h1>
<p class="lead">${isRenewal ? texts.again(system) : texts.signInLead}</p>
${error !== undefined && html`<div class="alert" role="alert"><p>${error}</p></div>`}
${wrong.size > 0 && html`<div class="alert" role="alert"><h2>${texts.correct}</h2><ul>${fields.filter(({ name }) => wrong.has(name)).map(({ name, title }) => html`<li><a href="#field-${name}">${title}</a></li>`)}</ul></div>`}
<form id="sign-in" method="post" action="${frame.session.path}/settings" autocomplete="off" novalidate>${token(frame)}
${fields.filter(({ isRequired }) => isRequired).map(field)}
${optional.length > 0 && html`<details${isOpen && html` open`}><summary>${texts.more}</summary>${optional.map(field)}</details>`}
</form>
<p class="note">${texts.secured(frame.appearance.name)}</p>
<div class="actions">${canGoBack && action(frame, 'choose', texts.back, '')}<button class="primary" form="sign-in">${texts.check}</button></div>`,
  });
}
