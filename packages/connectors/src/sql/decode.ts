import type pg from 'pg';

/** PostgreSQL type OIDs whose text needs another form to be plain JSON. */
const decoders: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't', // boolean
  21: Number, // smallint
  23: Number, // integer
  26: Number, // oid
  700: Number, // real
  701: Number, // double precision
  114: parseJson, // json
  3802: parseJson, // jsonb
  1114: (text) => moment(`${text}Z`), // timestamp without time zone: taken as UTC
  1184: moment, // timestamp with time zone
};

const asText = (text: string) => text;

/** Decoders for one client; numeric, bigint, date and all others stay the text that PostgreSQL sends. */
export const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number) => decoders[oid] ?? asText,
};

/** RFC 3339 in UTC; null for infinity and for years that RFC 3339 does not know. */
function moment(text: string): string | null {
  const zoned = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
  const at = new Date(zoned);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

function parseJson(text: string): unknown {
  return JSON.parse(text);
}
