/** The text of a scalar; null for null and for everything that is not a scalar. */
export function scalarText(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : null;
}

/**
 * The text that is compared with the values in a mapping: the text of a scalar, and the empty text for every blank text. So a
 * listed `' '` matches a `char(1)`, which is read without its padding.
 */
export function codeText(value: unknown): string | null {
  const text = scalarText(value);
  return text !== null && text.trim() === '' ? '' : text;
}

const NUMERAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The number in a text of digits with a decimal point; NaN for any other text. */
export function numeral(text: string): number {
  return NUMERAL.test(text) ? Number(text) : Number.NaN;
}

/** The text without blanks around it, and with the sign first: `12,50-`, as SAP exports negative numbers, is `-12,50`. */
export function withSignFirst(text: string): string {
  return text.trim().replace(/^([\d.,]+)-$/, '-$1');
}
