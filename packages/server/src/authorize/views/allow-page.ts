import type { Platform } from '@unified/connectors';
import type { Preview } from '@unified/engine';
import type { EnteredValues, FormSection } from '../../forms/connection-forms.ts';
import { type Html, html } from '../../html.ts';
import { catalogs, recordName } from '../language.ts';
import { formField } from './form-field.ts';
import { action, type Frame, stepPage, token } from './layout.ts';
import { recordGroups, tagOf } from './record-groups.ts';

/** A system that was checked, before the end user allows its use. */
export interface Consent {
  readonly platform: Platform;
  /** The check that the end user sees; the consent applies to no other check. */
  readonly checkId: string;
  readonly previews: readonly Preview[];
  readonly isRenewal: boolean;
  /** Whether the application already has a connection to this system, and would get a second one. */
  readonly isConnectedAlready: boolean;
  /** Whether the end user has not confirmed that. */
  readonly isUnconfirmed: boolean;
  /** The settings forms of the connection, and what was entered in them. */
  readonly sections: readonly FormSection[];
  readonly entered: EnteredValues;
}

export function allowPage(frame: Frame, consent: Consent): string {
  const texts = catalogs[frame.language];
  const { platform, previews, isRenewal, isConnectedAlready, isUnconfirmed } = consent;
  const app = frame.appearance.name;
  const title = texts.allowTitle(app, platform.name);
  return stepPage(frame, {
    step: 3,
    title,
    body: html`<p class="success"><span aria-hidden="true">✓</span> ${texts.accepted}</p>
<h1>${title}</h1>
<p class="lead">${texts.allowLead}</p>
${permissions(frame, platform)}
${previews.length > 0 && html`<h2>${texts.previewTitle}</h2>${previews.map((each) => preview(frame, each))}`}
<p class="note">${texts.copied(app)}</p>
${wrongFields(frame, consent)}
<form id="allow" method="post" action="${frame.session.path}/allow" novalidate>${token(frame)}<input type="hidden" name="check" value="${consent.checkId}">
${
  isConnectedAlready &&
  html`<div class="warning"><p>${texts.connectedAlready(app)}</p><label class="switch"><input type="checkbox" name="connectAgain" value="yes"${isUnconfirmed && html` aria-invalid="true" aria-describedby="connect-again-note"`}> ${texts.connectAgain}</label>${isUnconfirmed && html`<p class="error" id="connect-again-note" role="alert">${texts.connectAgainMissing}</p>`}</div>`
}
${formSections(frame, consent)}
</form>
<div class="actions">${action(frame, 'edit', texts.back, '')}<button class="primary" form="allow">${isRenewal ? texts.renew : texts.allow}</button></div>`,
  });
}

function formSections({ language }: Frame, { sections, entered }: Consent): Html[] {
  const form = { ...entered, isRepeated: false };
  return sections.map(
    ({ title, fields }) =>
      html`<fieldset><legend><h2>${title}</h2></legend>${fields.map((field) => formField(language, field, form))}</fieldset>`,
  );
}

/** Links to the fields with an error. */
function wrongFields({ language }: Frame, { sections, entered: { wrong } }: Consent): Html | false {
  const fields = sections.flatMap(({ fields }) => fields).filter(({ name }) => wrong.has(name));
  if (fields.length === 0) return false;
  const links = fields.map(({ name, title }) => html`<li><a href="#field-${name}">${title}</a></li>`);
  return html`<div class="alert" role="alert"><h2>${catalogs[language].correct}</h2><ul>${links}</ul></div>`;
}

function permissions(frame: Frame, platform: Platform): Html {
  const { language } = frame;
  const texts = catalogs[language];
  const names = (tags: readonly string[]) => tags.map((tag) => recordName(language, tag)).join(', ') || texts.nothing;
  return html`<div class="permissions">${recordGroups(platform).map(
    ({ group, read, written }) =>
      html`<details><summary><span>${recordName(language, group)}</span> <span class="quiet">${texts.entities(read.length)}</span></summary><dl><dt>${texts.canRead}</dt><dd>${names(read)}</dd><dt>${texts.canWrite}</dt><dd>${names(written)}</dd></dl></details>`,
  )}</div>`;
}

function preview({ language }: Frame, { entity, records }: Preview): Html {
  const texts = catalogs[language];
  const rows = records.map(({ code, name }) => html`<tr><td>${code}</td><td>${name}</td></tr>`);
  return html`<table><caption>${recordName(language, tagOf(entity))}</caption><thead><tr><th scope="col">${texts.code}</th><th scope="col">${texts.name}</th></tr></thead><tbody>${rows}</tbody></table>`;
}
