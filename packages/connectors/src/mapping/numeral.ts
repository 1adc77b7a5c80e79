const NUMERAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number that a text is, in digits with a decimal point; NaN for any other text. */
export function numeral(text: string): number {
  return NUMERAL.test(text) ? Number(text) : Number.NaN;
}
