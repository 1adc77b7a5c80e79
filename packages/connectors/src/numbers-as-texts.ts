import { endOfString, QUOTE } from './json-text.ts';

/** The numbers of JSON (RFC 8259, section 6). */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;

const PORTION = 1_000;

/** The name of a property, which is not a number, ends before a colon. */
const COLON = /\s*:/y;

/**
 * JSON with the chosen numbers as strings. Changes the text, because a reviver of `JSON.parse` takes ten times as long as parsing
 * does. Text that is not JSON stays that.
 */
export function withNumbersAsTexts(text: string, isChosen: (number: string) => boolean): string {
  let changed = '';
  /** The next parts of the changed text, with a quote between two of them: `[`, `1`, `,2]` for `["1",2]`. */
  let parts: string[] = [];
  let copied = 0;
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code !== MINUS && !isDigit(code)) at += 1;
    else {
      const end = endOfNumber(text, at);
      const number = text.slice(at, end);
      if (isChosen(number) && NUMBER.test(number) && !isName(text, end)) {
        parts.push(text.slice(copied, at), number);
        copied = end;
        // Millions of parts are joined faster in portions.
        if (parts.length >= PORTION) {
          changed += `${parts.join('"')}"`;
          parts = [];
        }
      }
      at = end;
    }
  }
  parts.push(text.slice(copied));
  return changed + parts.join('"');
}

const codeOf = (character: string) => character.charCodeAt(0);
const [MINUS, PLUS, POINT] = [codeOf('-'), codeOf('+'), codeOf('.')];
const [ZERO, NINE, E, LARGE_E] = [codeOf('0'), codeOf('9'), codeOf('e'), codeOf('E')];

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

function endOfNumber(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length && isPartOfNumber(text.charCodeAt(at))) at += 1;
  return at;
}

function isPartOfNumber(code: number): boolean {
  return isDigit(code) || code === POINT || code === E || code === LARGE_E || code === MINUS || code === PLUS;
}

function isName(text: string, end: number): boolean {
  COLON.lastIndex = end;
  return COLON.test(text);
}
