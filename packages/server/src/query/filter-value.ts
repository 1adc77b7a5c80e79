import type { Field } from '@unified/contract';
import { quoted } from '../suggestion.ts';
import { parseMoment } from './moment.ts';

/** What a condition compares with. Numbers stay decimal text, so that no digit is lost on the way to the database. */
export type FilterValue = string | boolean;

/** Why a value does not fit its field, in words that say what to send. */
export class UnfitValue extends Error {
  /** Where it is none of a list. */
  readonly unlisted: Unlisted | undefined;

  constructor(message: string, unlisted?: Unlisted) {
    super(message);
    this.unlisted = unlisted;
  }
}

/** A name or value that was sent, and those that are allowed there. */
export interface Unlisted {
  readonly sent: string;
  readonly allowed: readonly string[];
}

const LONGEST_TEXT = 1000;
const NUMBER = /^-?\d{1,30}(\.\d{1,15})?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reads the value of a condition on `field`. Throws `UnfitValue`. */
export function parseFilterValue(field: Field, text: string): FilterValue {
  switch (field.kind) {
    case 'relation':
    case 'relations':
      return fitting(UUID.test(text), text, 'Send the id of a record (a UUID).').toLowerCase();
    case 'number':
    case 'integer':
      return fitting(NUMBER.test(text), text, 'Send a plain decimal number such as 12.5.');
    case 'boolean':
      return fitting(text === 'true' || text === 'false', text, 'Send true or false.') === 'true';
    case 'date':
    case 'datetime':
      return moment(text);
    case 'enum':
      return listed(text, field.values ?? []);
    default:
      return fitting(text.length <= LONGEST_TEXT, text, `Send at most ${LONGEST_TEXT} characters.`);
  }
}

function moment(text: string): string {
  const parsed = parseMoment(text);
  if (parsed !== undefined) return parsed;
  const spaceForPlus = /^\S+ \d{2}:\d{2}$/.test(text) ? ' A + in the address must be sent as %2B.' : '';
  throw new UnfitValue(
    `Send a date such as 2026-11-20 or a date-time with offset such as 2026-11-20T10:00:00Z.${spaceForPlus}`,
  );
}

function listed(text: string, allowed: readonly string[]): string {
  if (allowed.includes(text)) return text;
  throw new UnfitValue(`${quoted(text)} is none of its values. Send one of ${allowed.join(', ')}.`, {
    sent: text,
    allowed,
  });
}

function fitting(fits: boolean, text: string, advice: string): string {
  if (!fits) throw new UnfitValue(advice);
  return text;
}
