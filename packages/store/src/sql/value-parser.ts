import pg from 'pg';

const INT8 = 20;
const TIMESTAMPTZ = 1184;

/**
 * How the text of a column becomes a value: bigint becomes a number (ours stay far below 2^53), timestamptz an RFC 3339 string
 * in UTC. All other types are parsed as `pg` does.
 */
export function parserOf(type: number): (text: string) => unknown {
  if (type === INT8) return Number;
  if (type === TIMESTAMPTZ) return (text) => new Date(text).toISOString();
  return pg.types.getTypeParser(type, 'text');
}
