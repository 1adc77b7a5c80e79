import type { CustomFieldLimits } from '@unified/contract';
import type { CustomFieldType } from './mapping/definition.ts';

/** Type of the single values in a column, in terms of custom field types, and the limits that the column states. */
export interface ScalarType {
  readonly type: CustomFieldType;
  readonly limits: CustomFieldLimits;
}

/** A type without limits. */
export function scalar(type: CustomFieldType): ScalarType {
  return { type, limits: {} };
}

/** Whole numbers of this many bytes, within the range that JSON numbers hold exactly. */
export function wholeNumbers(bytes: 2 | 4 | 8): ScalarType {
  const beyond = 2 ** (8 * bytes - 1);
  const minimum = Math.max(-beyond, Number.MIN_SAFE_INTEGER);
  const maximum = Math.min(beyond - 1, Number.MAX_SAFE_INTEGER);
  return { type: 'number', limits: { minimum, maximum, decimals: 0 } };
}

/**
 * Numbers with at most `precision` digits, `scale` of them after the point. If they can have more digits than JSON numbers hold
 * exactly, no bounds are set.
 */
export function decimals(precision: number, scale: number): ScalarType {
  const digits = '9'.repeat(precision);
  if (precision > 15 || scale > precision) return { type: 'number', limits: { decimals: scale } };
  const maximum = Number(`${digits.slice(0, precision - scale) || '0'}.${digits.slice(precision - scale)}`);
  return { type: 'number', limits: { minimum: -maximum, maximum, decimals: scale } };
}
