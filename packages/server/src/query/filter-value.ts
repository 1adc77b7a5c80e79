import { type Entity, type Field, relatedFields } from '@unified/contract';
import { type Condition, isUuid } from '@unified/store';
import { quoted } from '../request-error.ts';
import { parseTimestamp } from './timestamp.ts';
import type { Narrow } from './token-access.ts';

/** The value of a condition. Numbers are kept as decimal text, so that no digits are lost. */
type FilterValue = string | boolean;

/** A value that its field cannot have. The message states what to send. */
export class UnfitValue extends Error {
  /** Set if the value is not one of the allowed ones. */
  readonly unlisted: Unlisted | undefined;

  constructor(message: string, unlisted?: Unlisted) {
    super(message);
    this.unlisted = unlisted;
  }
}

/** A name or value that was sent, and the allowed ones. */
export interface Unlisted {
  /** Without the prefix; absent if it is not a misspelling of an allowed one. */
  readonly sent?: string;
  readonly allowed: readonly string[];
  /** Start of every allowed name. */
  readonly prefix?: string;
}

const MOST_IN_LIST = 200;
const LONGEST_TEXT = 1000;
const NUMBER = /^-?\d{1,30}(\.\d{1,15})?$/;

/** The entity of a list, with the fields that the token gives access to, and the same for related entities. */
export interface ValueContext {
  readonly entity: Entity;
  readonly narrow: Narrow;
}

/**
 * The value of a condition on `field`, as it was sent. Advice names only fields that the token gives access to. Throws
 * `UnfitValue`.
 */
export function filterValue(
  field: Field,
  operator: Condition['operator'],
  text: string,
  within: ValueContext,
): Condition['value'] {
  const isRelation = field.kind === 'relation' || field.kind === 'relations';
  if (text === 'null' && (operator === 'eq' || operator === 'neq') && !isRelation) return null;
  if (operator !== 'in') return singleValue(field, text, within);
  const values = text.split(',');
  if (values.length > MOST_IN_LIST) throw new UnfitValue(`Send at most ${MOST_IN_LIST} values.`);
  return values.map((value) => String(singleValue(field, value, within)));
}

function singleValue(field: Field, text: string, within: ValueContext): FilterValue {
  if (field.values) return listed(text, field.values);
  switch (field.kind) {
    case 'relation':
    case 'relations':
      return fitting(
        isUuid(text),
        text,
        `Send the id of a record (a UUID).${insteadOfId(field, within)}`,
      ).toLowerCase();
    case 'number':
    case 'integer':
      return fitting(NUMBER.test(text), text, 'Send a plain decimal number such as 12.5.');
    case 'boolean':
      return fitting(text === 'true' || text === 'false', text, 'Send true or false.') === 'true';
    case 'date':
    case 'datetime':
      return timestamp(text);
    default:
      return fitting(text.length <= LONGEST_TEXT, text, `Send at most ${LONGEST_TEXT} characters.`);
  }
}

/** Fields that are the same in all connected systems, unlike ids. */
function insteadOfId(field: Field, { entity, narrow }: ValueContext): string {
  const { name } = field;
  if (name === 'status') return entity.field.statusCategory ? ' To filter by state, use statusCategory.' : '';
  return relatedFields(field, narrow).has('code') && !name.includes('.')
    ? ` To filter by its code, use filter[${name}.code].`
    : '';
}

function timestamp(text: string): string {
  const parsed = parseTimestamp(text);
  if (parsed !== undefined) return parsed;
  const spaceForPlus = /^\S+ \d{2}:\d{2}$/.test(text) ? ' A + in the address must be sent as %2B.' : '';
  throw new UnfitValue(
    `Send a date such as 2026-11-20 or a date-time with offset such as 2026-11-20T10:00:00Z.${spaceForPlus}`,
  );
}

function listed(text: string, allowed: readonly string[]): string {
  if (allowed.includes(text)) return text;
  if (text.includes(',') && text.split(',').every((each) => allowed.includes(each)))
    throw new UnfitValue('Send one value, or several with the operator "in".');
  throw new UnfitValue(`${quoted(text)} is not one of its values. Send one of ${allowed.join(', ')}.`, {
    sent: text,
    allowed,
  });
}

function fitting(fits: boolean, text: string, advice: string): string {
  if (!fits) throw new UnfitValue(advice);
  return text;
}
