import { compileAccept } from './accept.ts';
import type { Accept } from './accept-scalar.ts';
import type { CustomFieldType } from './definition.ts';
import type { Problems } from './problem.ts';

/** Limits of the values of a custom field besides its type. Absent: there is none. */
export interface CustomLimits {
  /** Characters of a text. */
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  /** Digits after the decimal point; 0: whole numbers. */
  readonly decimals?: number;
}

/** Largest whole number that JSON contains exactly. */
const LARGEST = Number.MAX_SAFE_INTEGER;

const INTEGERS: readonly (readonly [RegExp, number])[] = [
  [/^(?:tinyint)\b/i, 127],
  [/^(?:smallint|smallserial|int2)\b/i, 32_767],
  [/^(?:bigint|bigserial|biginteger|int8)\b/i, LARGEST],
  [/^(?:int|integer|serial|int4)\b/i, 2_147_483_647],
];

/** The limits that the type of a column states, such as `character varying(20)` or `numeric(9,2)`. */
export function limitsOf(type: CustomFieldType, columnType: string): CustomLimits {
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
function ofDecimal(precision: number, scale: number): CustomLimits {
  const digits = '9'.repeat(precision);
  if (precision > 15 || scale > precision) return { decimals: scale };
  const maximum = Number(`${digits.slice(0, precision - scale) || '0'}.${digits.slice(precision - scale)}`);
  return { minimum: -maximum, maximum, decimals: scale };
}

const accepts: Readonly<Record<'date' | 'dateTime', Accept>> = {
  date: compileAccept({ name: '', kind: 'date', nullable: true, required: false, writable: true }),
  dateTime: compileAccept({ name: '', kind: 'datetime', nullable: true, required: false, writable: true }),
};

/** A custom field, as far as values depend on it. */
export interface LimitedField {
  readonly type: CustomFieldType;
  readonly isRequired: boolean;
  readonly limits: CustomLimits;
}

/** What to send instead of a value that a field cannot have; null: it can. */
export function faultOf({ type, isRequired, limits }: LimitedField, value: unknown): string | null {
  if (value === null) return isRequired ? 'It must have a value. Send one, or leave it out.' : null;
  const orNull = isRequired ? '' : ', or null';
  switch (type) {
    case 'string':
      return typeof value === 'string' ? textFault(limits, value) : `Send a string${orNull}.`;
    case 'number':
      return typeof value === 'number' ? numberFault(limits, value) : `Send a number${orNull}.`;
    case 'boolean':
      return typeof value === 'boolean' ? null : `Send true or false${orNull}.`;
    case 'date':
      return fits(accepts.date, value) ? null : `Send a date such as "2026-11-20"${orNull}.`;
    case 'dateTime':
      return fits(accepts.dateTime, value)
        ? null
        : `Send a date-time with offset such as "2026-11-20T10:00:00Z"${orNull}.`;
  }
}

function fits(accept: Accept, value: unknown): boolean {
  const problems: Problems = [];
  return typeof value === 'string' && accept(value, problems) !== null && problems.length === 0;
}

function textFault({ maxLength }: CustomLimits, value: string): string | null {
  if (maxLength === undefined || value.length <= maxLength || [...value].length <= maxLength) return null;
  return `Send at most ${maxLength} characters.`;
}

function numberFault({ minimum, maximum, decimals }: CustomLimits, value: number): string | null {
  if (minimum !== undefined && value < minimum) return `Send at least ${minimum}.`;
  if (maximum !== undefined && value > maximum) return `Send at most ${maximum}.`;
  if (decimals === undefined || decimalsOf(value) <= decimals) return null;
  return decimals === 0 ? 'Send a whole number.' : `Send at most ${decimals} digits after the decimal point.`;
}

/** Digits after the decimal point of a number as JSON spells it: 2 of 12.25, 7 of 1e-7. */
function decimalsOf(value: number): number {
  const [, fraction = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}
