import { withNumbersAsTexts } from './numbers-as-texts.ts';

/** Maximum length of a decimal text: comparing the digits of longer ones would take too long. */
const LONGEST = 1_000;

/** Maximum number of significant digits with which JavaScript writes a number, and a decimal point. */
const LONGEST_WRITTEN = 18;

/**
 * Whether JSON carries the value of a decimal text that was read as `number`. Up to 2^53 the number has every digit of the whole
 * part; beyond that, a number is carried only if JSON spells the same value and the text is not very long.
 */
export function isExact(text: string, number: number): boolean {
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return true;
  if (text.length > LONGEST) return false;
  const digits = significant(text);
  // Both texts are close to the number, so that with the same digits they also have the same exponent.
  return digits.length <= LONGEST_WRITTEN && withoutPoint(digits) === withoutPoint(significant(String(number)));
}

/** A decimal text from the first to the last digit that is not zero. Without patterns: they are slow if there are many zeros. */
function significant(text: string): string {
  let start = text.length;
  let end = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at) | LOWER_CASE;
    if (code === E) break;
    if (code <= ZERO || code > NINE) continue;
    if (start === text.length) start = at;
    end = at + 1;
  }
  return text.slice(start, end);
}

const withoutPoint = (digits: string) => digits.replace('.', '');

/** A bit that letters have in lower case, and digits in any case. */
const LOWER_CASE = 0x20;
const E = 'e'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);

/** Numbers that may have more digits, or a greater exponent, than a JavaScript number can hold. */
const LONG = /\d[\d.]{15}|[\d.]e\+?\d{3}/i;

/** Parses JSON of a connected system. A number that `isExact` refuses stays its text, so that no digit is lost. */
export function parseExactJson(text: string): unknown {
  return JSON.parse(LONG.test(text) ? withNumbersAsTexts(text, (number) => !isExact(number, Number(number))) : text);
}
