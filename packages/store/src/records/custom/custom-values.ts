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

/** How the values of one type are read from `"customFields"`, and where those that are indexed are stored. */
interface CustomSql {
  /** The value in a row, null if it has another type; each `?` is the name of the field. */
  readonly value: string;
  /** Type of `value`. */
  readonly type: 'text' | 'numeric' | 'boolean' | 'timestamptz';
  /** Column of `unified.custom_values`; absent: values of the type have no index, since there are only two. */
  readonly column?: 'text' | 'number' | 'time';
}

const text = `("customFields" ->> ?::text)`;

/** A date is its midnight in UTC. The form is checked first: rows that were read with another type have other values. */
const time = `case when ${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' then (${text} || 'T00:00:00Z')::timestamptz
  when ${text} ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z$' then ${text}::timestamptz end`;

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
