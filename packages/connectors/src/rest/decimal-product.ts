/** A decimal as its digits and the number of digits after the point. */
interface Decimal {
  readonly digits: bigint;
  readonly places: number;
}

/** The product of decimal numbers without the rounding errors of floating point: 3 × 0.1 is 0.3. */
export function decimalProduct(factors: readonly number[]): number {
  const { digits, places } = factors
    .map(decimalOf)
    .reduce((one, other) => ({ digits: one.digits * other.digits, places: one.places + other.places }), {
      digits: 1n,
      places: 0,
    });
  return Number(`${digits}e${-places}`);
}

function decimalOf(number: number): Decimal {
  const [mantissa = '', exponent = '0'] = String(number).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const places = fraction.length - Number(exponent);
  const digits = BigInt(`${whole}${fraction}`);
  return places < 0 ? { digits: digits * 10n ** BigInt(-places), places: 0 } : { digits, places };
}
