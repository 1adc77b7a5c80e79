import { isExact } from '../../exact-number.ts';
import { numeral, withSignFirst } from '../scalar-text.ts';
import type { Word } from '../word.ts';
import { coded } from './codec.ts';

interface Options {
  readonly decimal?: '.' | ',';
  readonly scale?: number;
  readonly negated?: boolean;
}

/**
 * `number`: a number, including one in text with a decimal comma or with its sign at the end (`12,50-`), optionally scaled to an
 * integer or to a fraction, or with its sign reversed. A text with more digits than a number can hold is not read, because its
 * value would change.
 */
export function number(from: Word, { decimal, scale = 0, negated = false }: Options): Word {
  return coded(from, {
    yields: 'number',
    decode: (theirs) => {
      const text = typeof theirs === 'string' ? decimalOf(theirs, decimal) : String(theirs);
      const found = typeof theirs === 'string' ? numeral(text) : theirs;
      if (typeof found !== 'number' || !Number.isFinite(found)) return undefined;
      const moved = shifted(text, -scale);
      return isExact(moved, Number(moved)) ? signed(Number(moved), negated) : undefined;
    },
    encode: (ours) => {
      if (ours === null) return null;
      if (typeof ours !== 'number') return undefined;
      const value = signed(ours, negated);
      if (scale > 0) return Math.round(Number(shifted(String(value), scale)));
      if (scale < 0) return Number(shifted(String(value), scale));
      return decimal === undefined ? value : String(value).replace('.', decimal);
    },
    complaint: 'The value is not a number, or has more digits than a JSON number can hold.',
  });
}

/** Zero has no sign. */
function signed(value: number, negated: boolean): number {
  return negated && value !== 0 ? -value : value;
}

/**
 * The decimal text with its point moved to the right, without the rounding error of a multiplication: 1.005 becomes 1.005e2.
 */
function shifted(text: string, places: number): string {
  const [digits, exponent = '0'] = text.toLowerCase().split('e');
  return places === 0 ? text : `${digits}e${Number(exponent) + places}`;
}

/** Digits in groups of three, separated by the character that is not the decimal separator: "1,234,567.5". */
const GROUPED = { '.': /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/, ',': /^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/ } as const;

/** The text with a decimal point, without groups and with the sign first; empty if it is not a number. */
function decimalOf(text: string, decimal: '.' | ',' = '.'): string {
  const trimmed = withSignFirst(text);
  const separator = decimal === '.' ? ',' : '.';
  if (trimmed.includes(separator) && !GROUPED[decimal].test(trimmed)) return '';
  const digits = trimmed.replaceAll(separator, '');
  return decimal === '.' ? digits : digits.replace(',', '.');
}
