import type { Column, PulledPage, RawRow, Row, StreamProbe, StreamUse } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { type ScalarType, scalar } from '../scalar-type.ts';
import { SystemError } from '../system-error.ts';
import { valueAt } from './json-body.ts';
import { optionsOf } from './options.ts';

/** Pulls a page of a stream. */
export type Pull = (stream: Stream, from: Json | null, limit: number) => Promise<PulledPage>;

/** Number of rows in a sample, and of pages that are read to find them, since parents can be without rows. */
const SAMPLE = { rows: 100, pages: 5 };

/**
 * Properties of a sample of rows, and those that the stream declares; null without rows, because a REST API does not describe
 * its rows.
 */
export async function columns(pull: Pull, stream: Stream): Promise<readonly Column[] | null> {
  const rows = await sampleOf(pull, stream, SAMPLE.rows);
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
export async function probe(pull: Pull, stream: Stream, use: StreamUse): Promise<StreamProbe> {
  const [sample = null] = await sampleOf(pull, stream, 1);
  refuseWithoutCursor(stream, sample?.row);
  return { sample, problems: undefinedIn(stream, use), notes: [] };
}

function undefinedIn(stream: Stream, { writes, actions }: StreamUse): string[] {
  const { writes: defined = {} } = optionsOf(stream);
  const calls = [...writes].filter((name) => !defined[name === 'replace' ? 'update' : name]);
  const acts = actions.filter((name) => !Object.hasOwn(defined.actions ?? {}, name));
  return [...calls, ...acts].map((name) => `${name}: the platform does not define it for ${stream.name}`);
}

async function sampleOf(pull: Pull, stream: Stream, limit: number): Promise<readonly RawRow[]> {
  let from: Json | null = null;
  for (let pages = 0; pages < SAMPLE.pages; pages += 1) {
    const page = await pull(stream, from, limit);
    if (page.rows.length > 0 || page.next === null) return page.rows;
    from = page.next;
  }
  return [];
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
