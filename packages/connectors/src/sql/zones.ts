import type { Row } from '../driver.ts';
import type { Catalog } from './catalog.ts';
import type { Query } from './database.ts';
import { quote } from './quote.ts';

/** Columns of type `timestamp` -> the zone that their values are in. Columns in UTC, and of other types, are absent. */
export type ZonedColumns = ReadonlyMap<string, string>;

export const NO_ZONES: ZonedColumns = new Map();

const UTC = /^(?:(?:Etc\/)?(?:UTC|UCT|Universal|Zulu|Greenwich|GMT[+-]?0?))$/i;

/** Whether a zone is UTC, whose values need no conversion. */
export function isUtc(zone: string): boolean {
  return UTC.test(zone);
}

/** The zoned columns of one table or view. */
export function zonedColumns(columns: Catalog, table: string, zoneOf: (column: string) => string): ZonedColumns {
  const plain = (columns.get(table) ?? []).filter(({ base }) => base === 'timestamp');
  return new Map(plain.map(({ name }) => [name, zoneOf(name)] as const).filter(([, zone]) => !isUtc(zone)));
}

/**
 * The zone that an ordinary client of the database works in: that of the database, else of the server. A zone that is set
 * for our own login does not count where the database has one.
 */
export async function databaseZone(query: Query): Promise<string> {
  const [row] = await query(
    `SELECT coalesce(
       (SELECT split_part(setting, '=', 2) FROM pg_db_role_setting, unnest(setconfig) AS setting
        WHERE setrole = 0 AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
          AND lower(split_part(setting, '=', 1)) = 'timezone' ORDER BY setdatabase DESC LIMIT 1),
       (SELECT reset_val FROM pg_settings WHERE name = 'TimeZone')) AS zone`,
  );
  return String(row?.zone ?? 'UTC');
}

/** Alias under which the instant of a zoned column travels: by position, because PostgreSQL cuts names at 63 bytes. */
const alias = (index: number) => `__instant:${index}`;

/** What is selected beside the columns of `t`: the instant of each zoned one. Parameters are counted on in `values`. */
export function instants(zones: ZonedColumns, values: unknown[]): string[] {
  return [...zones].map(([column, zone], index) => {
    values.push(zone);
    return `t.${quote(column)} AT TIME ZONE $${values.length}::text AS ${quote(alias(index))}`;
  });
}

/** A row with its zoned columns as RFC 3339 with the offset of their zone, so that the day is the one the source shows. */
export function withOffsets(row: Row, zones: ZonedColumns): Row {
  for (const [index, column] of [...zones.keys()].entries()) {
    row[column] = withOffset(row[column], row[alias(index)]);
    delete row[alias(index)];
  }
  return row;
}

const MINUTE = 60_000;

/** `local` is what the clock on the wall shows, as if it were UTC. */
function withOffset(local: unknown, instant: unknown): string | null {
  if (typeof local !== 'string' || typeof instant !== 'string') return null;
  const at = Date.parse(instant);
  // RFC 3339 has no seconds in offsets, which local mean times had; rounded up, the day stays.
  const minutes = Math.ceil((Date.parse(local) - at) / MINUTE);
  const shown = new Date(at + minutes * MINUTE).toISOString().slice(0, -1);
  const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  return `${shown}${minutes < 0 ? '-' : '+'}${hour}:${minute}`;
}
