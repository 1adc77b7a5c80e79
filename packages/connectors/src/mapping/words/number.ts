import { numeral } from '../scalar-text.ts';
import type { Word } from '../word.ts';
import { coded } from './codec.ts';

interface Options {
  readonly decimal?: '.' | ',';
  readonly scale?: number;
}

/** `number`: a number, including one in text with a decimal comma, or scaled to an integer. */
export function number(from: Word, { decimal, scale = 0 }: Options): Word {
  const factor = 10 ** scale;
  return coded(from, {
    yields: 'number',
    decode: (theirs) => {
      const found = typeof theirs === 'string' ? parse(theirs, decimal) : theirs;
      return typeof found === 'number' && Number.isFinite(found) ? found / factor : undefined;
    },
    encode: (ours) => {
      if (ours === null) return null;
      if (typeof ours !== 'number') return undefined;
      if (scale > 0) return Math.round(shifted(ours, scale));
      return decimal === undefined ? ours : String(ours).replace('.', decimal);
    },
    complaint: 'The value is not a number.',
  });
}

/**
 * The number with its decimal point moved to the right, without the rounding error of a multiplication: 1.005 becomes 100.5.
 */
function shifted(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

/** Digits in groups of three, by the sign that is not the decimal one: "1,234,567.5". */
const GROUPED = { '.': /^[+-]?\d{1,3}(,\d{3})+(\.\d*)?$/, ',': /^[+-]?\d{1,3}(\.\d{3})+(,\d*)?$/ } as const;

function parse(text: string, decimal: '.' | ',' = '.'): number {
  const trimmed = text.trim();
  const separator = decimal === '.' ? ',' : '.';
  if (trimmed.includes(separator) && !GROUPED[decimal].test(trimmed)) return Number.NaN;
  const digits = trimmed.replaceAll(separator, '');
  return numeral(decimal === '.' ? digits : digits.replace(',', '.'));
}
