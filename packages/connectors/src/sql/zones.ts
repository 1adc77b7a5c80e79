import type { Row } from '../driver.ts';
import type { Catalog, SqlDialect } from './dialect/sql-dialect.ts';

/** Columns of local times -> the zone that their values are in. Columns in UTC, and of other types, are absent. */
export type ZonedColumns = ReadonlyMap<string, string>;

export const NO_ZONES: ZonedColumns = new Map();

const UTC = /^(?:(?:Etc\/)?(?:UTC|UCT|Universal|Zulu|Greenwich|GMT[+-]?0?))$/i;

/** Whether a zone is UTC, whose values need no conversion. */
export function isUtc(zone: string): boolean {
  return UTC.test(zone);
}

/** The zoned columns of one table or view. */
export function zonedColumns(columns: Catalog, table: string, zoneOf: (column: string) => string): ZonedColumns {
  const plain = (columns.get(table) ?? []).filter(({ kind }) => kind === 'local');
  return new Map(plain.map(({ name }) => [name, zoneOf(name)] as const).filter(([, zone]) => !isUtc(zone)));
}

/**
 * The columns of one table whose values are converted when they are written: those in a zone and, if the database does not take
 * RFC 3339, all columns of times.
 */
export function writtenZones(
  { takesRfc3339 }: SqlDialect,
  columns: Catalog,
  table: string,
  zoneOf: (column: string) => string,
): ZonedColumns {
  if (takesRfc3339) return zonedColumns(columns, table, zoneOf);
  const times = (columns.get(table) ?? []).filter(({ kind }) => kind === 'local' || kind === 'instant');
  return new Map(times.map(({ name, kind }) => [name, kind === 'local' ? zoneOf(name) : 'UTC']));
}

/** Alias of the instant of a zoned column: by position, because databases truncate long names. */
const alias = (index: number) => `__instant:${index}`;

/** The selection in addition to the columns of `t`: the instant of each zoned column. Parameters are appended to `values`. */
export function instants({ spell }: SqlDialect, zones: ZonedColumns, values: unknown[]): string[] {
  return [...zones].map(([column, zone], index) => {
    const instant = spell.instantOf(`t.${spell.quote(column)}`, `$${values.push(zone)}`);
    return `${instant} AS ${spell.quote(alias(index))}`;
  });
}

/** A row with its zoned columns as RFC 3339 with the offset of their zone, so that the day is the one that the system shows. */
export function withOffsets(row: Row, zones: ZonedColumns): Row {
  for (const [index, [column, zone]] of [...zones].entries()) {
    row[column] = withOffset(row[column], row[alias(index)], zone);
    delete row[alias(index)];
  }
  return row;
}

const MINUTE = 60_000;

function isRfc3339(value: unknown): value is string {
  return typeof value === 'string' && value.endsWith('Z');
}

/**
 * `local` is the local time, as if it were UTC. Values that RFC 3339 does not have, such as infinity, are unchanged; a time
 * whose instant RFC 3339 cannot express is followed by the name of its zone.
 */
function withOffset(local: unknown, instant: unknown, zone: string): string | null {
  if (typeof local !== 'string') return null;
  if (!isRfc3339(local)) return isRfc3339(instant) ? instant : local;
  if (!isRfc3339(instant)) return `${local.slice(0, -1)} ${zone}`;
  const at = Date.parse(instant);
  // Offsets in RFC 3339 have no seconds, unlike those of local mean time; rounding up keeps the day.
  const minutes = Math.ceil((Date.parse(local) - at) / MINUTE);
  const shown = new Date(at + minutes * MINUTE).toISOString().slice(0, -1);
  const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${shown}${minutes < 0 ? '-' : '+'}${hour}:${minute}`;
}
