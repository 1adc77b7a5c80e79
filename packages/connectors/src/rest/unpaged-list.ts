import type { Stream } from '../platform.ts';
import { optionsOf } from './options.ts';

/** Numbers of rows that systems return per page by default. */
const PAGE_SIZES: ReadonlySet<number> = new Set([10, 20, 25, 30, 40, 50, 100, 200, 250, 500, 1000, 2000, 5000, 10_000]);

/** A note on a list that was read without `paging`, if the number of its rows is more likely the size of a page; otherwise none. */
export function unpagedNotes(stream: Stream, rows: number): readonly string[] {
  const { list, parents } = optionsOf(stream);
  if (list.paging || list.elements || parents || rows < 2) return [];
  const limit = limitOf(stream, rows);
  if (limit === undefined && !PAGE_SIZES.has(rows)) return [];
  const count = limit === undefined ? `${rows} rows` : `as many rows as its "${limit}" requests, ${rows},`;
  const effect =
    stream.deletes === 'none' ? 'the others are missing' : 'the others are missing, and their records are deleted';
  return [`The list has exactly ${count} and no "paging". If the system has more rows, ${effect}. Add "paging".`];
}

/** The parameter that requests this number of rows. */
function limitOf(stream: Stream, rows: number): string | undefined {
  const { address, parameters = {} } = optionsOf(stream).list;
  const query = [...new URL(address, 'http://system').searchParams, ...Object.entries(parameters)];
  return query.find(([, value]) => String(value) === String(rows))?.[0];
}
