import type { CheckProgress, StreamOutcome } from '@unified/engine';
import { type Html, html } from '../../html.ts';
import type { Catalog } from '../catalog/en.ts';
import { catalogs, type Language, recordName } from '../language.ts';
import { action, type Frame, showAgain, stepPage } from './layout.ts';
import { tagOf } from './record-groups.ts';

/** A check in progress, or one that failed. */
export interface Check {
  readonly system: string;
  readonly progress: CheckProgress;
  /** Whether there has been no progress for so long that the process of the check must have ended. */
  readonly isInterrupted: boolean;
}

export function checkPage(frame: Frame, check: Check): string {
  const texts = catalogs[frame.language];
  const { system, progress, isInterrupted } = check;
  const hasEnded = progress.phase === 'refused' || isInterrupted;
  const title = hasEnded ? texts.checkFailedTitle(system) : texts.checkTitle(system);
  const waiting = html`<div class="actions">${action(frame, 'edit', texts.back, '')}${showAgain(frame, texts.refresh, 'button')}</div>`;
  const failed = html`<div class="actions">${action(frame, 'check', texts.retry, '')}${action(frame, 'edit', texts.change, 'primary')}</div>`;
  return stepPage(frame, {
    step: 2,
    title,
    isChanging: !hasEnded,
    body: html`<h1>${title}</h1>
${!hasEnded && html`<p class="lead">${texts.checkLead}</p>`}
${checkList(frame.language, check)}
${isInterrupted && html`<div class="alert" role="alert"><p>${texts.interrupted}</p></div>`}
${progress.phase === 'refused' && refusal(frame.language, progress)}
${hasEnded ? failed : waiting}`,
  });
}

type State = 'done' | 'active' | 'open' | 'failed';

/** The steps of a check with their states: the part of the page that changes. */
export function checkList(language: Language, { progress, isInterrupted }: Omit<Check, 'system'>): Html {
  const texts = catalogs[language];
  const states = statesOf(progress, isInterrupted);
  const names = [texts.reach, texts.authenticate, texts.read, texts.preview];
  const isChanging = progress.phase !== 'refused' && progress.phase !== 'accepted' && !isInterrupted;
  const rows = names.map((name, index) => {
    const state = states[index] ?? 'open';
    const count = index === 2 && progress.streams.length > 0 && texts.progress(progress.streams.length, progress.total);
    return html`<li class="${state}"><span class="sign" aria-hidden="true"></span><span>${name}</span> <span class="quiet">${count || stateText(texts, state)}</span></li>`;
  });
  return html`<div id="progress"${isChanging && html` data-changing="true"`}><ol class="checks">${rows}</ol><progress max="${progress.total}" value="${progress.streams.length}" aria-label="${texts.read}"${!isChanging && html` hidden`}></progress><p class="unseen" role="status">${statusOf(texts, names, states)}</p></div>`;
}

/** Steps of the list. */
const [REACH, AUTHENTICATE, READ, PREVIEW, NONE] = [0, 1, 2, 3, 4];
/** The step that is in progress or has failed, by phase. */
const STEPS: Readonly<Record<CheckProgress['phase'], (progress: CheckProgress) => number>> = {
  connecting: () => REACH,
  reading: () => READ,
  previewing: () => PREVIEW,
  accepted: () => NONE,
  refused: refusedStep,
};

/** If the system itself has not failed, some of its tables cannot be read. */
function refusedStep({ failure, streams }: CheckProgress): number {
  if (!failure || streams.length > 0) return READ;
  return failure.isReached ? AUTHENTICATE : REACH;
}

function statesOf(progress: CheckProgress, isInterrupted: boolean): State[] {
  const at = STEPS[progress.phase](progress);
  const current = progress.phase === 'refused' || isInterrupted ? 'failed' : 'active';
  return [REACH, AUTHENTICATE, READ, PREVIEW].map((step): State => {
    if (step === at) return current;
    return step < at ? 'done' : 'open';
  });
}

function stateText(texts: Catalog, state: State): string {
  return { done: texts.isDone, active: texts.isActive, open: texts.isOpen, failed: texts.hasFailed }[state];
}

/** What screen readers announce: the step in progress, without the number that changes constantly. */
function statusOf(texts: Catalog, names: readonly string[], states: readonly State[]): string {
  const at = states.findIndex((state) => state === 'active' || state === 'failed');
  return at < 0 ? texts.accepted : `${names[at]}: ${stateText(texts, states[at] ?? 'open')}`;
}

const MOST_SHOWN = 8;

function refusal(language: Language, { failure, streams }: CheckProgress): Html {
  const texts = catalogs[language];
  if (failure) {
    const [problem, remedy] = texts.failures[failure.cause];
    return html`<div class="alert" role="alert"><h2>${problem}</h2><p>${remedy}</p>${failure.words !== '' && systemWords(texts, failure.words)}</div>`;
  }
  const blocked = streams.filter(({ refusal: found }) => found !== null);
  return html`<div class="alert" role="alert"><h2>${texts.unreadable(blocked.length)}</h2>${blocked.slice(0, MOST_SHOWN).map((each) => blockedStream(language, each))}</div>`;
}

function blockedStream(language: Language, { stream, entities, refusal: found }: StreamOutcome): Html {
  const texts = catalogs[language];
  const names = entities.map((entity) => recordName(language, tagOf(entity))).join(', ');
  return html`<h3>${names || stream} <code>${stream}</code></h3><p>${found?.isForbidden ? texts.missingRight : texts.missingTable}</p>${found !== null && systemWords(texts, found.words)}`;
}

function systemWords(texts: Catalog, words: string): Html {
  return html`<p class="says">${texts.systemSays}</p><blockquote>${words}</blockquote>`;
}
