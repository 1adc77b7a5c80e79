import { parse, stringify } from 'yaml';

/** What a person has entered for a field: a word of the mapping language, or why it is not one. */
export type EnteredWord = { readonly word: unknown } | { readonly problem: string };

/** A word as people write it in a platform: `zahlbed`, or `{ coalesce: [ zahlbed, { const: '' } ] }`. Null is empty. */
export function wordText(word: unknown): string {
  if (word === null || word === undefined) return '';
  return stringify(word, { collectionStyle: 'flow', lineWidth: 0, singleQuote: true }).trimEnd();
}

/** The word that a text contains; YAML, of which JSON is a part. */
export function enteredWord(text: string): EnteredWord {
  try {
    return { word: parse(text) as unknown };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { problem: message.split('\n')[0] ?? message };
  }
}
