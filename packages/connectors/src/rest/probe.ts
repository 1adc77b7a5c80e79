import type { Column, RawRow, Row, StreamProbe, StreamUse } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { type ScalarType, scalar } from '../scalar-type.ts';
import { SystemError } from '../system-error.ts';
import { valueAt } from './json-body.ts';
import { optionsOf } from './options.ts';
import { unpagedNotes } from './unpaged-list.ts';

/** Some rows of a stream, at most as many as the limit unless the system returns more together. */
export type Sample = (stream: Stream, limit: number) => Promise<readonly RawRow[]>;

/** Number of rows in a sample. */
const SAMPLE_ROWS = 100;

/**
 * Properties of a sample of rows, or of rows that were read already, and those that the stream declares; null without rows,
 * because a REST API does not describe its rows.
 */
export async function columns(
  sample: Sample,
  stream: Stream,
  read?: readonly RawRow[],
): Promise<readonly Column[] | null> {
  const rows = read ?? (await sample(stream, SAMPLE_ROWS));
  if (rows.length === 0) return null;
  const found = new Map<string, Column>();
  for (const name of optionsOf(stream).columns ?? []) found.set(name, { name, type: 'unknown' });
  for (const { row } of rows) {
    for (const [name, value] of Object.entries(row)) {
      const column = found.get(name);
      if (column?.type === undefined || column.type === 'unknown') found.set(name, columnOf(name, value));
    }
  }
  return [...found.values()];
}

/** One row of the stream, which must contain its cursor, and the writes and actions that the platform does not define. */
export async function probe(sample: Sample, stream: Stream, use: StreamUse): Promise<StreamProbe> {
  const rows = await sample(stream, 1);
  const [first = null] = rows;
  refuseWithoutCursor(stream, first?.row);
  return { sample: first, problems: undefinedIn(stream, use), notes: unpagedNotes(stream, rows.length) };
}

function undefinedIn(stream: Stream, { writes, actions }: StreamUse): string[] {
  const { writes: defined = {} } = optionsOf(stream);
  const calls = [...writes].filter((name) => !defined[name === 'replace' ? 'update' : name]);
  const acts = actions.filter((name) => !Object.hasOwn(defined.actions ?? {}, name));
  return [...calls, ...acts].map((name) => `${name}: the platform does not define it for ${stream.name}`);
}

/** Rows without the property would mean that the platform describes another version of the system. */
function refuseWithoutCursor({ name, cursor }: Stream, row: Row | undefined): void {
  if (!row || cursor === undefined || Object.hasOwn(row, cursor) || valueAt(row, cursor) !== null) return;
  throw new SystemError('rejected', `Rows of ${name} have no "${cursor}", the property that changes are found by`);
}

function columnOf(name: string, value: unknown): Column {
  const type = typeOf(value);
  const known = SCALARS[type];
  return { name, type, ...(known && { scalar: known }) };
}

const SCALARS: Readonly<Record<string, ScalarType>> = {
  string: scalar('string'),
  number: scalar('number'),
  boolean: scalar('boolean'),
  date: scalar('date'),
  dateTime: scalar('dateTime'),
};

function typeOf(value: unknown): string {
  if (value === null) return 'unknown';
  if (Array.isArray(value)) return 'list';
  if (typeof value !== 'string') return typeof value;
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return 'date';
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value) ? 'dateTime' : 'string';
}
