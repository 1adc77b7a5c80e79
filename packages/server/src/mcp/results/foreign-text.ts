/**
 * Sequences that terminals execute, and characters that people do not see but models read: escape sequences, control
 * characters, and those of the Unicode category of format characters, which hide text or change its direction.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is removed.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\^_])?/g;
const UNSEEN = /(?![\t\n\r])(?:\p{Cc}|\p{Cf}|\p{Co}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|[\u{E0000}-\u{E0FFF}])/gu;

/** Whether a JSON text may contain what people cannot see, as it is or escaped. */
export function mayBeUnseen(json: string): boolean {
  return UNUSUAL.test(json) && UNSEEN_IN_JSON.test(json);
}

/** What most texts do not contain, which is faster to detect. */
const UNUSUAL = /[^ -~]|\\[bfu]/;
const UNSEEN_IN_JSON = new RegExp(`\\\\[bfu]|${UNSEEN.source}`, 'u');

/** A text of a connected system without anything that a person could not see. */
export function visibleText(text: string): string {
  return text.replace(ESCAPES, '').replace(UNSEEN, '');
}

/** The same for all texts in a value, including names. */
export function visibleValue(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map(visibleValue);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [visibleText(name), visibleValue(item)]));
}
