import type { CustomFieldLimits } from '@unified/contract';
import type { Accept } from './accept-scalar.ts';
import { customAccepts } from './custom-accepts.ts';
import type { CustomFieldType } from './definition.ts';
import type { Problems } from './problem.ts';

/** The parts of a custom field that determine which values it can have. */
export interface LimitedField {
  readonly type: CustomFieldType;
  readonly isRequired: boolean;
  readonly limits: CustomFieldLimits;
}

/** What to send instead of a value that a field cannot have; null if the field can have it. */
export function customFieldFault({ type, isRequired, limits }: LimitedField, value: unknown): string | null {
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
      return fits(customAccepts.date, value) ? null : `Send a date such as "2026-11-20"${orNull}.`;
    case 'dateTime':
      return fits(customAccepts.dateTime, value)
        ? null
        : `Send a date-time with offset such as "2026-11-20T10:00:00Z"${orNull}.`;
  }
}

function fits(accept: Accept, value: unknown): boolean {
  const problems: Problems = [];
  return typeof value === 'string' && accept(value, problems) !== null && problems.length === 0;
}

function textFault({ maxLength }: CustomFieldLimits, value: string): string | null {
  if (maxLength === undefined || value.length <= maxLength || [...value].length <= maxLength) return null;
  return `Send at most ${maxLength} characters.`;
}

function numberFault({ minimum, maximum, decimals }: CustomFieldLimits, value: number): string | null {
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
