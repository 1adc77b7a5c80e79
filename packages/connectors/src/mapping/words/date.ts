import { dateFormat, isoDate, momentOf, noDay } from '../date-format.ts';
import { scalarText } from '../scalar-text.ts';
import { refuse, type SchemaPath } from '../schema-path.ts';
import type { Word } from '../word.ts';
import { coded } from './codec.ts';

interface Options {
  readonly format?: string;
  readonly nearest?: true;
}

/** `date`: a day, "2026-11-20" on our side. Without `format`, it also reads the day of a timestamp, or the `nearest` one. */
export function date(from: Word, { format, nearest }: Options, place: SchemaPath): Word {
  if (nearest && format !== undefined) refuse(place, '"nearest" reads timestamps, which have no "format"');
  const { parse, print } = dateFormat(format ?? 'YYYY-MM-DD', place);
  const dayOf = nearest ? nearestDay : dayIn;
  return coded(from, {
    yields: 'date',
    decode: (theirs) => {
      const text = scalarText(theirs)?.trim();
      const moment = text && parse(format === undefined ? dayOf(text) : text);
      return moment ? isoDate(moment) : noDay(theirs);
    },
    encode: (ours) => {
      if (ours === null) return null;
      const moment = momentOf(ours);
      return moment ? print(moment) : undefined;
    },
    complaint: `The value is not a date in the format ${format ?? 'YYYY-MM-DD'}.`,
  });
}

/** The day that a timestamp begins with. PostgreSQL shows years before 1 as `0044-03-15 BC`, which is not a valid date here. */
function dayIn(text: string): string {
  return text.endsWith(' BC') ? text : text.slice(0, 10);
}

const HALF_DAY = 12 * 60 * 60 * 1000;

/** The day whose midnight is nearest, by the digits of the timestamp. A day is unchanged. */
function nearestDay(text: string): string {
  const at = Date.parse(`${text.slice(0, 19).replace(' ', 'T')}Z`);
  return text.length < 19 || Number.isNaN(at) ? dayIn(text) : new Date(at + HALF_DAY).toISOString().slice(0, 10);
}
