/** A text that is replaced by another. */
export interface Replacement {
  readonly from: string;
  readonly to: string;
}

/** Shorter texts are replaced only where they are whole words: `erp` must not change `enterprise`. */
const SHORT = 8;

/** Replaces texts in addresses, headers and bodies, however they are encoded there. */
export class Replacements {
  readonly #byForm = new Map<string, string>();
  #pattern: RegExp | undefined;

  /** Later replacements of the same text have no effect. */
  add({ from, to }: Replacement): void {
    for (const form of forms) if (!this.#byForm.has(form(from))) this.#byForm.set(form(from), form(to));
    this.#pattern = undefined;
  }

  has(text: string): boolean {
    return this.#byForm.has(text);
  }

  /** Whether a text still contains this one, in any form. Only parts of words can contain short ones. */
  static isIn(text: string, sought: string): boolean {
    return sought.length >= SHORT && forms.some((form) => text.includes(form(sought)));
  }

  /** In JSON, only texts are changed: names of properties and numbers stay. */
  in(text: string): string {
    if (this.#byForm.size === 0) return text;
    if (!isJson(text)) return this.#inText(text);
    return text.replaceAll(JSON_TEXT, (literal, after?: string) => (after ? literal : this.#inText(literal)));
  }

  #inText(text: string): string {
    this.#pattern ??= patternOf([...this.#byForm.keys()]);
    return text.replaceAll(this.#pattern, (found) => this.#byForm.get(found) ?? found);
  }
}

/** How a text is spelled in JSON, in an address, in a form, and in JSON that escapes slashes. */
const forms: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify(text).slice(1, -1),
  encodeURIComponent,
  (text) => new URLSearchParams([['', text]]).toString().slice(1),
  (text) => text.replaceAll('/', '\\/'),
];

/** A text in JSON; the group is set if it is the name of a property. */
const JSON_TEXT = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/** A text that only begins like JSON, such as `[error] …`, is not. */
function isJson(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The longest first, so that no part of a text is replaced before the whole. */
function patternOf(texts: readonly string[]): RegExp {
  const longestFirst = [...texts].sort((left, right) => right.length - left.length);
  const patterns = longestFirst.map((text) => (text.length < SHORT ? asWord(text) : escaped(text)));
  return new RegExp(patterns.join('|'), 'g');
}

/** A letter that belongs to an escape, as in `\n` and `%20`, does not belong to the word after it. */
function asWord(text: string): string {
  return String.raw`(?:(?<![A-Za-z0-9])|(?<=\\[nrtbf])|(?<=%[0-9A-Fa-f]{2}))${escaped(text)}(?![A-Za-z0-9])`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}
