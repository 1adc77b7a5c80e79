import type { SettingField } from '@unified/engine';
import { type Html, html } from '../../html.ts';
import { catalogs, type Language } from '../language.ts';

/** What was entered in a form. */
export interface EnteredForm {
  /** By the names of the fields, without secrets. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Names of the fields with an error. */
  readonly wrong: ReadonlySet<string>;
  /** Whether secrets were entered before and have to be entered again. */
  readonly isRepeated: boolean;
}

/**
 * Prefix for the names of fields for settings: a setting can have the same name as a field of the page itself, such as `token`.
 */
const SETTING = 'settings.';

/** The settings among the values of a form, by their names. */
export function settingsIn(form: Readonly<Record<string, string>>): Record<string, string> {
  const given = Object.entries(form).filter(([name]) => name.startsWith(SETTING));
  return Object.fromEntries(given.map(([name, value]) => [name.slice(SETTING.length), value]));
}

/** A field of a form with its label, help and error. */
export function formField(language: Language, field: SettingField, form: EnteredForm): Html {
  const texts = catalogs[language];
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
  const attributes = html` id="field-${name}" name="${SETTING}${name}" aria-describedby="note-${name}"${isRequired && html` required`}${isWrong && html` aria-invalid="true"`}`;
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
