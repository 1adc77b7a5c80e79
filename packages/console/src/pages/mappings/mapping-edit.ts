import { ServiceError } from '@unified/sdk';
import type { Revision } from './mapping-queries.ts';
import { enteredWord, wordText } from './word-text.ts';

/** The words of a mapping while a person edits them, as texts by field. */
export type WordTexts = Readonly<Record<string, string>>;

/** The texts with which editing begins. */
export function textsOfFields(fields: Readonly<Record<string, unknown>>): WordTexts {
  return Object.fromEntries(Object.entries(fields).map(([field, word]) => [field, wordText(word)]));
}

/** What is sent of an edited mapping, and the fields whose texts are not words. */
export interface EditedFields {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly problems: Readonly<Record<string, string>>;
}

/**
 * The fields of an edited mapping. An empty text leaves a field out: it is sent as null if the mapping of the platform has the
 * field, and is omitted otherwise.
 */
export function editedFields(texts: WordTexts, platform: Readonly<Record<string, unknown>>): EditedFields {
  const fields: Record<string, unknown> = {};
  const problems: Record<string, string> = {};
  for (const [field, text] of Object.entries(texts)) {
    if (text.trim() === '') {
      if (platform[field] !== undefined) fields[field] = null;
      continue;
    }
    const entered = enteredWord(text);
    if ('problem' in entered) problems[field] = entered.problem;
    else fields[field] = entered.word;
  }
  return { fields, problems };
}

/** A problem that the service found in a mapping. */
interface FoundProblem {
  readonly path: string;
  readonly message: string;
}

const IN_FIELD = /^body\/fields\/([^/]+)/;

/** The problems of a refused mapping by field; those of other parts are under an empty name. */
export function refusedFields(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ServiceError) || !Array.isArray(error.details)) return {};
  const found = (error.details as readonly FoundProblem[]).map(({ path, message }): [string, string] => [
    IN_FIELD.exec(path)?.[1] ?? '',
    message,
  ]);
  return Object.fromEntries(found);
}

/** The newest revision that was read: nothing is saved if there is a newer one. */
export function newestOf(revisions: readonly Revision[]): number {
  return Math.max(...revisions.map(({ revision }) => revision));
}
