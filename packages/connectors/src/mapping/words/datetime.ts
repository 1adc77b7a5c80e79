import { dateFormat, instantOf, isoDatetime, momentOf, noDay } from '../date-format.ts';
import { scalarText } from '../scalar-text.ts';
import type { SchemaPath } from '../schema-path.ts';
import type { Word } from '../word.ts';
import { coded } from './codec.ts';

const FINISHED =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;
const OFFSET = /T.*[+-]\d\d:\d\d$/;
const SQL = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d(?::?\d\d)?)?)?$/;

const NO_TIMESTAMP = 'The value is not a timestamp in ISO 8601 from year 1 to year 9999 in UTC.';

/** `datetime`: a timestamp, RFC 3339 in UTC on our side; in requests, `T` and `Z` may be lower case. */
export function datetime(from: Word, format: string | undefined, place: SchemaPath): Word {
  if (format === undefined) {
    const decode = (theirs: unknown) => iso(theirs) ?? noDay(theirs);
    return coded(from, { yields: 'datetime', decode, encode, complaint: NO_TIMESTAMP });
  }
  if (format === 'epoch') return coded(from, epoch(1000));
  if (format === 'epoch-ms') return coded(from, epoch(1));
  const { parse, print } = dateFormat(format, place);
  return coded(from, {
    yields: 'datetime',
    decode: (theirs) => {
      const text = scalarText(theirs)?.trim();
      const moment = text && parse(text);
      return moment ? isoDatetime(moment) : noDay(theirs);
    },
    encode: (ours) => {
      if (ours === null) return null;
      const moment = momentOf(ours);
      return moment ? print(moment) : undefined;
    },
    complaint: `The value is not a timestamp in the format ${format}.`,
  });
}

/**
 * A timestamp without a format, in UTC. Drivers return instants of zoned columns with the offset of their zone, so
 * that `date` finds the day that the system shows; records have them in UTC. Null for years that RFC 3339 does not have.
 */
export function inUtc(timestamp: string): string | null {
  return OFFSET.test(timestamp) ? iso(timestamp) : timestamp;
}

function iso(theirs: unknown): string | null {
  if (typeof theirs !== 'string') return null;
  if (FINISHED.test(theirs)) return theirs;
  const [, day, time = '00:00', zone = 'Z'] = SQL.exec(theirs.toUpperCase()) ?? [];
  if (day === undefined) return null;
  return fromMilliseconds(Date.parse(`${day}T${time}${zone.length === 3 ? `${zone}:00` : zone}`));
}

function encode(ours: unknown): unknown {
  return ours === null ? null : (iso(ours) ?? sentIso(ours) ?? undefined);
}

/** A timestamp that only clients send: one with a leap second, or in a different year in UTC. */
function sentIso(ours: unknown): string | undefined {
  return typeof ours === 'string' && /T/i.test(ours) ? instantOf(ours)?.toISOString() : undefined;
}

function epoch(unit: number) {
  return {
    yields: 'datetime' as const,
    decode: (theirs: unknown) => {
      const text = scalarText(theirs);
      return text === null || text.trim() === '' ? undefined : (fromMilliseconds(Number(text) * unit) ?? undefined);
    },
    encode: (ours: unknown) => {
      const found = iso(ours) ?? sentIso(ours);
      return ours === null ? null : found === undefined ? undefined : Math.floor(Date.parse(found) / unit);
    },
    complaint: 'The value is not a number of seconds or milliseconds since 1970.',
  };
}

function fromMilliseconds(value: number): string | null {
  const at = new Date(value);
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 ? at.toISOString() : null;
}
