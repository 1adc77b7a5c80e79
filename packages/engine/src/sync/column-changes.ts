import { type CompiledMapping, namesOfPath } from '@unified/connectors';

/** A column of a stream that appeared, disappeared or got another type in the connected system. */
export interface ColumnChange {
  readonly column: string;
  readonly change: 'added' | 'removed' | 'retyped';
  /** Type before the change, as named in the system; null for an added column. */
  readonly from: string | null;
  /** Type after the change; null for a removed column. */
  readonly to: string | null;
  /** RFC 3339. */
  readonly noticedAt: string;
  /** Fields that mappings read from the column: `Vendor.name`. */
  readonly fields: readonly string[];
}

/** Types of columns by their names. */
export type ColumnTypes = Readonly<Record<string, string>>;

/** Changes that are kept for the status of a stream. */
const MOST = 50;

/** The differences between the columns that a stream had and has now, in the order of their names. */
export function columnChanges(
  before: ColumnTypes,
  after: ColumnTypes,
  mappings: readonly Pick<CompiledMapping, 'entity' | 'paths'>[],
  noticedAt: string,
): ColumnChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names.flatMap((column) => {
    const [from = null, to = null] = [before[column], after[column]];
    if (from === to) return [];
    const change = from === null ? 'added' : to === null ? 'removed' : 'retyped';
    return [{ column, change, from, to, noticedAt, fields: fieldsOf(column, mappings) }];
  });
}

function fieldsOf(column: string, mappings: readonly Pick<CompiledMapping, 'entity' | 'paths'>[]): string[] {
  const fields = mappings.flatMap(({ entity, paths }) =>
    paths.filter(({ path }) => namesOfPath(path)[0] === column).map(({ field }) => `${entity}.${field}`),
  );
  return [...new Set(fields)];
}

/** Those of the found changes that are not known yet: a column that still stops the stream is found again by every run. */
export function newChanges(known: readonly ColumnChange[], found: readonly ColumnChange[]): ColumnChange[] {
  const isKnown = (each: ColumnChange) => {
    const newest = known.find(({ column }) => column === each.column);
    return newest?.change === each.change && newest.to === each.to;
  };
  return found.filter((each) => each.change !== 'removed' || !isKnown(each)).slice(0, MOST);
}

/** The changes of a stream that are kept, newest first, without those of columns that are again `now` what they were before. */
export function keptChanges(
  known: readonly ColumnChange[],
  fresh: readonly ColumnChange[],
  now: ColumnTypes,
): ColumnChange[] {
  const all = [...fresh, ...known];
  const isUndone = (name: string) => all.findLast(({ column }) => column === name)?.from === (now[name] ?? null);
  return all.filter(({ column }) => !isUndone(column)).slice(0, MOST);
}

/** The columns that disappeared although mappings read them. */
export function lostColumns(found: readonly ColumnChange[]): ColumnChange[] {
  return found.filter(({ change, fields }) => change === 'removed' && fields.length > 0);
}

/** Why a stream is not read: its rows would empty fields of records. */
export function lostMessage(stream: string, lost: readonly ColumnChange[]): string {
  const columns = lost.map(({ column, fields }) => `"${column}", which is read for ${fields.join(', ')}`);
  return (
    `${stream} no longer has the column ${columns.join('; ')}. Its records stay as they are. ` +
    'Correct the mapping, or start a synchronization with acceptColumns to empty these fields.'
  );
}
