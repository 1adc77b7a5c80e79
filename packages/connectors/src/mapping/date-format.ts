import { refuse, type SchemaPath } from './schema-path.ts';

/** Year, month, day, hour, minute, second; months from 1. */
export type Moment = readonly [number, number, number, number, number, number];

export interface DateFormat {
  /** Null if the text does not have this format or is not a valid date ("00000000"). */
  parse(text: string): Moment | null;
  print(moment: Moment): string;
}

const TOKENS = ['YYYY', 'MM', 'DD', 'hh', 'mm', 'ss'] as const;

/** Compiles a format made of YYYY, MM, DD, hh, mm and ss, each at a fixed position, with any text in between. */
export function dateFormat(format: string, place: SchemaPath): DateFormat {
  const spots = TOKENS.map((token) => format.indexOf(token));
  if (spots.slice(0, 3).includes(-1)) refuse(place, `format "${format}" needs YYYY, MM and DD`);
  for (const token of TOKENS) {
    if (format.split(token).length > 2) refuse(place, `format "${format}" has ${token} twice`);
  }
  const signs = [...TOKENS.reduce((rest, token) => rest.replace(token, '0'.repeat(token.length)), format)];
  const fits = (text: string) => {
    if (text.length !== signs.length) return false;
    for (let index = 0; index < signs.length; index++) {
      if (signs[index] === '0' ? !isDigit(text, index) : signs[index] !== text[index]) return false;
    }
    return true;
  };
  const part = (text: string, index: number) => {
    const spot = spots[index] ?? -1;
    return spot < 0 ? 0 : Number(text.slice(spot, spot + (index === 0 ? 4 : 2)));
  };
  return {
    parse(text) {
      if (!fits(text)) return null;
      const moment: Moment = [part(text, 0), part(text, 1), part(text, 2), part(text, 3), part(text, 4), part(text, 5)];
      return exists(moment) ? moment : null;
    },
    print: (moment) =>
      TOKENS.reduce((text, token, index) => text.replace(token, padded(moment[index] ?? 0, token.length)), format),
  };
}

/** Whether the date and the time are valid. */
function exists([year, month, day, hour, minute, second]: Moment): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return false;
  return day <= 28 || day <= lastDay(year, month);
}

function lastDay(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}

/** `2026-11-20`. */
export function isoDate([year, month, day]: Moment): string {
  return `${padded(year, 4)}-${padded(month, 2)}-${padded(day, 2)}`;
}

/** `2026-11-20T09:30:00Z`. */
export function isoDatetime(moment: Moment): string {
  const [, , , hour, minute, second] = moment;
  return `${isoDate(moment)}T${padded(hour, 2)}:${padded(minute, 2)}:${padded(second, 2)}Z`;
}

/** The parts, in UTC, of a timestamp or date in our format; null for any other value. */
export function momentOf(ours: unknown): Moment | null {
  if (typeof ours !== 'string' || !/^\d{4}-\d\d-\d\d(t|$)/i.test(ours)) return null;
  const at = instantOf(ours);
  if (!at) return null;
  const iso = at.toISOString();
  const moment: Moment = [
    at.getUTCFullYear(),
    at.getUTCMonth() + 1,
    at.getUTCDate(),
    at.getUTCHours(),
    at.getUTCMinutes(),
    at.getUTCSeconds(),
  ];
  return ours.length > 10 || iso.startsWith(ours) ? moment : null;
}

const ZEROS = /^(?=.*0)[0\W]+$/;

/** Null for values that mean "no date", such as "00000000"; undefined for any other value that could not be parsed. */
export function noDay(theirs: unknown): null | undefined {
  return typeof theirs === 'string' && ZEROS.test(theirs) ? null : undefined;
}

function isDigit(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}

function padded(value: number, length: number): string {
  return String(value).padStart(length, '0');
}

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');

/**
 * The instant of a date or RFC 3339 timestamp that a client sent; null if it is neither. A leap second becomes the next
 * second, and a timestamp outside the years 1 to 9999 in UTC becomes the first or last second of these years.
 */
export function instantOf(sent: string): Date | null {
  const leap = /:60(?:\.\d+)?(?=[Zz+-])/;
  const second = Date.parse(sent.toUpperCase().replace(leap, ':59'));
  if (Number.isNaN(second)) return null;
  return new Date(Math.min(LAST, Math.max(FIRST, second + (leap.test(sent) ? 1000 : 0))));
}
