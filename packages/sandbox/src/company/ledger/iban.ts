/** Length of the part after the check digits, by country. */
const lengths: Readonly<Record<string, number>> = { DE: 18, PL: 24, CZ: 20, DK: 14, SE: 20, NO: 11, AT: 16, HU: 24 };

/**
 * An IBAN with valid check digits from bank code and account number, padded with zeros between them; null for countries
 * whose format has letters.
 */
export function ibanOf(country: string, clearing: string, account: string): string | null {
  const length = lengths[country];
  if (length === undefined) return null;
  const basic = clearing + account.slice(-(length - clearing.length)).padStart(length - clearing.length, '0');
  const numeral = [...`${basic}${country}00`].map((sign) => Number.parseInt(sign, 36)).join('');
  return `${country}${String(98n - (BigInt(numeral) % 97n)).padStart(2, '0')}${basic}`;
}
