import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import type { Catalog } from './catalog.ts';
import { quote } from './quote.ts';
import { instantOf, numbersOf } from './since.ts';
import { isUtc } from './zones.ts';

/** A column that grows with every change. */
export interface Cursor {
  /** Quoted, without its table. */
  readonly column: string;
  /** `local` and `day` are in the zone; `number` is a version that the system counts. */
  readonly kind: 'instant' | 'local' | 'day' | 'number';
  readonly zone: string;
}

const kinds: Readonly<Record<string, Cursor['kind']>> = {
  ...{ timestamptz: 'instant', timestamp: 'local', date: 'day' },
  ...{ int2: 'number', int4: 'number', int8: 'number', numeric: 'number', xid8: 'number' },
};

/** @throws SystemError `rejected` when the column is missing or cannot serve as a cursor */
export function cursorOf(catalog: Catalog, table: string, name: string, zone: string): Cursor {
  const column = catalog.get(table)?.find((each) => each.name === name);
  const kind = column && kinds[column.base];
  if (kind) return { column: quote(name), kind, zone };
  const found = column ? `is of type ${column.type}` : 'does not exist';
  throw new SystemError('rejected', `The cursor "${name}" ${found}; it has to be a timestamp, a date or a number`);
}

/** How long before the clocks go back a boundary has to allow for it. */
const BEFORE_CHANGE = `interval '3 hours'`;

/**
 * The condition on rows of `alias` that may have changed since the mark; null: all may have. `values` gets its parameters.
 */
export function changedSince(
  cursor: Cursor,
  alias: string,
  since: Json,
  list: string,
  values: unknown[],
): string | null {
  const column = `${alias}.${cursor.column}`;
  const place = (value: unknown) => `$${values.push(value)}`;
  if (cursor.kind === 'number') {
    const from = numbersOf(since)[list]?.from ?? null;
    return from === null ? null : `${column} >= ${place(from)}`;
  }
  const at = instantOf(since);
  if (at === null) return null;
  if (cursor.kind === 'instant') return `${column} >= ${place(at)}::timestamptz`;
  // Earlier versions took local times for UTC and may have passed over changes: their marks do not count.
  if (!at.endsWith('Z') && !isUtc(cursor.zone)) return null;
  const local = boundary(`${place(at)}::timestamptz`, `${place(cursor.zone)}::text`);
  return `${column} >= ${cursor.kind === 'day' ? `(${local})::date` : local}`;
}

/**
 * The least time that clocks in the zone show from an instant on. When they go back soon afterwards, that is earlier than
 * what they show at the instant itself.
 */
function boundary(instant: string, zone: string): string {
  const shown = `(${instant} AT TIME ZONE ${zone})`;
  const later = `((${instant} + ${BEFORE_CHANGE}) AT TIME ZONE ${zone})`;
  return `${shown} - greatest(interval '0', ${shown} + ${BEFORE_CHANGE} - ${later})`;
}
