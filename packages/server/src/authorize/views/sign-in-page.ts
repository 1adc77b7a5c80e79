import type { SettingField } from '@unified/engine';
import { type Html, html } from '../../html.ts';
import { catalogs } from '../language.ts';
import { action, type Frame, stepPage, token } from './layout.ts';

/** The form of a system with what was entered before. Secrets are never part of it. */
export interface SignInForm {
  readonly system: string;
  readonly fields: readonly SettingField[];
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of the fields with an error. */
  readonly wrong: ReadonlySet<string>;
  /** Whether secrets were entered before and have to be entered again. */
  readonly isRepeated: boolean;
  /** Whether the access to an existing connection is renewed. */
  readonly isRenewal: boolean;
  /** Whether the end user can choose another system. */
  readonly canGoBack: boolean;
  /** An error that concerns no single field. */
  readonly error?: string | undefined;
}

export function signInPage(frame: Frame, form: SignInForm): string {
  const texts = catalogs[frame.language];
  const { system, fields, wrong, isRenewal, canGoBack, error } = form;
  const field = (each: SettingField) => fieldOf(frame, each, form);
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

function fieldOf(frame: Frame, field: SettingField, form: SignInForm): Html {
  const texts = catalogs[frame.language];
  const { name, title, description, example, kind, isRequired } = field;
  const isWrong = form.wrong.has(name);
  const value = form.values[name];
  const isEmpty = kind === 'secret' || value === undefined;
  const notes = [
    isWrong && html`<span class="error">${isEmpty && isRequired ? texts.isMissing : texts.isWrong}</span>`,
    kind === 'secret' && form.isRepeated && html`<span>${texts.enterAgain}</span>`,
    description !== '' && html`<span>${description}</span>`,
    example !== '' && kind !== 'choice' && kind !== 'switch' && html`<span>${texts.example(example)}</span>`,
  ];
  const attributes = html` id="field-${name}" name="${name}" aria-describedby="note-${name}"${isRequired && html` required`}${isWrong && html` aria-invalid="true"`}`;
  const note = html`<p class="hint" id="note-${name}">${notes}</p>`;
  if (kind === 'switch') {
    return html`<div class="field"><label class="switch"><input type="checkbox" value="yes"${attributes}${value === true && html` checked`}> ${title}</label>${note}</div>`;
  }
  const label = html`<label for="field-${name}">${title}${!isRequired && html` <span class="quiet">(${texts.optional})</span>`}</label>`;
  return html`<div class="field">${label}${control(field, attributes, value)}${note}</div>`;
}

function control({ kind, choices }: SettingField, attributes: Html, value: unknown): Html {
  const text = value === undefined ? '' : String(value);
  if (kind === 'choice')
    return html`<select${attributes}><option value=""></option>${choices.map((each) => html`<option${each === text && html` selected`}>${each}</option>`)}</select>`;
  if (kind === 'secret')
    return html`<input type="password"${attributes} autocomplete="new-password" spellcheck="false" maxlength="2000">`;
  const typed = kind === 'address' ? html` inputmode="url"` : kind === 'number' && html` inputmode="decimal"`;
  return html`<input type="text"${attributes}${typed} value="${text}" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="2000">`;
}
