import type pg from 'pg';
import { parseExactJson } from '../../exact-number.ts';

/** PostgreSQL type OIDs whose text needs another form to be plain JSON. */
const decoders: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't', // boolean
  21: Number, // smallint
  23: Number, // integer
  26: Number, // oid
  700: Number, // real
  701: Number, // double precision
  114: parseExactJson, // json
  3802: parseExactJson, // jsonb
  1114: (text) => instant(text, 'Z'), // timestamp without time zone: taken as UTC
  1184: (text) => instant(text), // timestamp with time zone
};

const asText = (text: string) => text;

/** Decoders for one client; numeric, bigint, date and all others remain the text that PostgreSQL sends. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => decoders[oid] ?? asText,
};

/** RFC 3339 in UTC. Infinity, and years outside of 1 to 9999 in UTC, remain the text that PostgreSQL sends. */
function instant(text: string, zone = ''): string {
  const zoned = `${text}${zone}`.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
  const parsed = Date.parse(zoned);
  const at = new Date(Number.isNaN(parsed) ? atLocalMeanTime(zoned) : parsed);
  const year = at.getUTCFullYear();
  return year >= 1 && year <= 9999 ? at.toISOString() : text;
}

/** Depending on the zone of the server, instants from before time zones existed have offsets like `+00:53:28`. */
function atLocalMeanTime(zoned: string): number {
  const [, local, sign, ...offset] = /^(.*)([+-])(\d\d):(\d\d):(\d\d)$/.exec(zoned) ?? [];
  const [hours = 0, minutes = 0, seconds = 0] = offset.map(Number);
  const ahead = (hours * 3600 + minutes * 60 + seconds) * 1000;
  return Date.parse(`${local}Z`) - (sign === '-' ? -ahead : ahead);
}
