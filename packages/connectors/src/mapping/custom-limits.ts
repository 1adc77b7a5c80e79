import type { CustomFieldLimits } from '@unified/contract';
import type { CustomFieldType } from './definition.ts';

/** Largest whole number that JSON contains exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;

const INTEGERS: readonly (readonly [RegExp, number])[] = [
  [/^(?:tinyint)\b/i, 127],
  [/^(?:smallint|smallserial|int2)\b/i, 32_767],
  [/^(?:bigint|bigserial|biginteger|int8)\b/i, LARGEST],
  [/^(?:int|integer|serial|int4)\b/i, 2_147_483_647],
];

/** The limits that the type of a column states, such as `character varying(20)` or `numeric(9,2)`. */
export function limitsOf(type: CustomFieldType, columnType: string): CustomFieldLimits {
  if (type === 'string') {
    const length = /^(?:character varying|character|varchar|n?varchar|n?char|bpchar)\s*\((\d+)\)$/i.exec(
      columnType,
    )?.[1];
    return length === undefined ? {} : { maxLength: Number(length) };
  }
  if (type !== 'number') return {};
  const largest = INTEGERS.find(([pattern]) => pattern.test(columnType))?.[1];
  if (largest !== undefined)
    return { minimum: largest === LARGEST ? -LARGEST : -largest - 1, maximum: largest, decimals: 0 };
  const [, precision, scale = '0'] = /^(?:numeric|decimal)\s*\((\d+)(?:,\s*(\d+))?\)$/i.exec(columnType) ?? [];
  return precision === undefined ? {} : ofDecimal(Number(precision), Number(scale));
}

/** Numbers with so many digits that JSON does not contain them exactly have no bounds here. */
function ofDecimal(precision: number, scale: number): CustomFieldLimits {
  const digits = '9'.repeat(precision);
  if (precision > 15 || scale > precision) return { decimals: scale };
  const maximum = Number(`${digits.slice(0, precision - scale) || '0'}.${digits.slice(precision - scale)}`);
  return { minimum: -maximum, maximum, decimals: scale };
}
