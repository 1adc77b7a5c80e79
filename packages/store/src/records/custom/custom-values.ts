import type { FieldKind } from '@unified/contract';

/** Type of the values of a custom field. */
export type CustomType = 'string' | 'number' | 'boolean' | 'date' | 'dateTime';

/** The kind of field that has the same operators and values. */
export const CUSTOM_KINDS: Readonly<Record<CustomType, FieldKind>> = {
  string: 'text',
  number: 'number',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'datetime',
};

/** How the values of one type are read from `"customFields"`, and where values of indexed fields are stored. */
interface CustomSql {
  /** The value in a row, null if it has another type. Each `?` is the name of the field. */
  readonly value: string;
  /** Type of `value`. */
  readonly type: 'text' | 'numeric' | 'boolean' | 'timestamptz';
  /** Column of `unified.custom_values`. Absent if values of the type are not indexed because there are only two. */
  readonly column?: 'text' | 'number' | 'time';
}

const text = `("customFields" ->> ?::text)`;

/** Years from 0001; then the years that have a February 29. They contain no `?`, which would be the name of the field. */
const year = '([0-9]{3}[1-9]|[0-9]{2}[1-9]0|[0-9][1-9]00|[1-9]000)';
const fours = '(0[48]|[2468][048]|[13579][26])';
const leapYear = `([0-9]{2}${fours}|${fours}00)`;
const monthAndDay = '((0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])-(29|30)|(0[13578]|1[02])-31)';
const date = `(${year}-${monthAndDay}|${leapYear}-02-29)`;
const clock = '([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,20}){0,1}){0,1}';

/**
 * A date is its midnight in UTC. Rows that were read when the field had another type contain other values, so the cast applies
 * only to dates and times that exist: PostgreSQL before 16 cannot be asked whether a cast would fail.
 */
const time = `case when ${text} ~ '^${date}$' then (${text} || 'T00:00:00Z')::timestamptz
  when ${text} ~ '^${date}T${clock}Z$' then ${text}::timestamptz end`;

export const customSql: Readonly<Record<CustomType, CustomSql>> = {
  string: { value: text, type: 'text', column: 'text' },
  number: {
    value: `case when jsonb_typeof("customFields" -> ?::text) = 'number' then ${text}::numeric end`,
    type: 'numeric',
    column: 'number',
  },
  boolean: {
    value: `case "customFields" -> ?::text when 'true'::jsonb then true when 'false'::jsonb then false end`,
    type: 'boolean',
  },
  date: { value: time, type: 'timestamptz', column: 'time' },
  dateTime: { value: time, type: 'timestamptz', column: 'time' },
};
