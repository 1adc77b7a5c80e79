import type { Word } from '../word.ts';
import { coded } from './codec.ts';

interface Options {
  readonly decimal?: '.' | ',';
  readonly scale?: number;
}

const NUMERAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** `number`: a number, also from text with a decimal comma, or scaled to an integer. */
export function number(from: Word, { decimal, scale = 0 }: Options): Word {
  const factor = 10 ** scale;
  return coded(from, {
    yields: 'number',
    decode: (theirs) => {
      const found = typeof theirs === 'string' ? parse(theirs, decimal) : theirs;
      return typeof found === 'number' && Number.isFinite(found) ? found / factor : null;
    },
    encode: (ours) => {
      if (ours === null) return null;
      if (typeof ours !== 'number') return undefined;
      if (scale > 0) return Math.round(shifted(ours, scale));
      return decimal === undefined ? ours : String(ours).replace('.', decimal);
    },
  });
}

/** The number with its decimal point moved to the right, without the error that a product has: 1.005 becomes 100.5. */
function shifted(value: number, places: number): number {
  const [digits, exponent = '0'] = String(value).split('e');
  return Number(`${digits}e${Number(exponent) + places}`);
}

function parse(numeral: string, decimal: '.' | ',' | undefined): number | null {
  const plain = (decimal === ',' ? numeral.replaceAll('.', '').replace(',', '.') : numeral.replaceAll(',', '')).trim();
  return NUMERAL.test(plain) ? Number(plain) : null;
}
