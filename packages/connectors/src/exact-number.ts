/** Maximum length of a decimal text: comparing the digits of longer ones would take too long. */
const LONGEST = 1_000;

/**
 * Whether JSON carries the value of a decimal text that was read as `number`. Up to 2^53 the number has every digit of the whole
 * part; beyond that, a number is carried only if JSON spells the same value and the text is not very long.
 */
export function isExact(text: string, number: number): boolean {
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return true;
  return text.length <= LONGEST && spelled(text) === spelled(String(number));
}

/** Significant digits and exponent of a decimal text: "125e1" for "1.250e3". */
function spelled(text: string): string {
  const [, whole = '', fraction = '', exponent = '0'] = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  return `${significant}e${Number(exponent) - fraction.length + digits.length - significant.length}`;
}

/** Numbers that may have more digits than a JavaScript number can hold. */
const LONG = /\d[\d.]{15}/;

/** Parses JSON of a connected system. A number that `isExact` refuses stays its text, so that no digit is lost. */
export function parseExactJson(text: string): unknown {
  return LONG.test(text) ? JSON.parse(text, kept as Reviver) : JSON.parse(text);
}

type Reviver = (this: unknown, key: string, value: unknown) => unknown;

function kept(_key: string, value: unknown, { source }: { readonly source?: string }): unknown {
  return typeof value === 'number' && source !== undefined && !isExact(source, value) ? source : value;
}
