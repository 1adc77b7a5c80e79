import { dateFormat, isoDate, momentOf, noDay } from '../date-format.ts';
import { scalarText } from '../scalar-text.ts';
import type { SchemaPath } from '../schema-path.ts';
import type { Word } from '../word.ts';
import { coded } from './codec.ts';

/** `date`: a day, "2026-11-20" on our side. Without `format`, it also reads the day of a timestamp. */
export function date(from: Word, format: string | undefined, place: SchemaPath): Word {
  const { parse, print } = dateFormat(format ?? 'YYYY-MM-DD', place);
  return coded(from, {
    yields: 'date',
    decode: (theirs) => {
      const text = scalarText(theirs)?.trim();
      const moment = text && parse(format === undefined ? dayIn(text) : text);
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

/** The day that a timestamp begins with. PostgreSQL shows years before 1 as `0044-03-15 BC`: these are not valid dates here. */
function dayIn(text: string): string {
  return text.endsWith(' BC') ? text : text.slice(0, 10);
}
