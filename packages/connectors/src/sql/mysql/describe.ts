import type { FieldPacket } from 'mysql2';
import type { CatalogColumn } from '../dialect/sql-dialect.ts';
import { catalogColumn } from './catalog.ts';

/** What the server sends about a column of a result. MariaDB sends JSON as text with this format. */
export type ResultField = Pick<FieldPacket, 'name' | 'columnType'> & {
  readonly flags?: number | readonly string[];
  readonly columnLength?: number;
  readonly decimals?: number;
  readonly characterSet?: number;
  readonly extendedFormat?: string;
};

/** Names of types by their numbers in results. */
const NAMES: Readonly<Partial<Record<number, string>>> = {
  ...{ 1: 'tinyint', 2: 'smallint', 3: 'int', 4: 'float', 5: 'double', 7: 'timestamp', 8: 'bigint', 9: 'mediumint' },
  ...{ 10: 'date', 11: 'time', 12: 'datetime', 13: 'year', 16: 'bit', 245: 'json', 246: 'decimal', 255: 'geometry' },
};
const UNSIGNED = 0x20;
const ENUM_OR_SET = 0x100 | 0x800;
/** Character set of binary columns. */
const BINARY = 63;
/** Maximum number of bytes per character in utf8mb4, the character set of results. */
const BYTES = 4;
/** Longer texts have the type `text`. */
const LONGEST_VARCHAR = 16_383;

/** A column of a result, with its type as tables spell it. */
export function columnOf(field: ResultField): CatalogColumn {
  const base = baseOf(field);
  return catalogColumn({ name: field.name, type: `${base}${parametersOf(base, field)}`, base });
}

function baseOf(field: ResultField): string {
  const { columnType = 0, characterSet, columnLength = 0, extendedFormat } = field;
  const named = NAMES[columnType];
  if (named !== undefined) return named;
  if (extendedFormat === 'json') return 'json';
  if (has(field, ENUM_OR_SET)) return 'enum';
  if (characterSet === BINARY) return 'varbinary';
  return columnLength > LONGEST_VARCHAR * BYTES ? 'text' : 'varchar';
}

function parametersOf(base: string, field: ResultField): string {
  const { columnLength = 0, decimals = 0 } = field;
  const isUnsigned = has(field, UNSIGNED);
  const sign = isUnsigned ? ' unsigned' : '';
  // The length includes the point and the sign.
  if (base === 'decimal') return `(${columnLength - (decimals > 0 ? 1 : 0) - (isUnsigned ? 0 : 1)},${decimals})${sign}`;
  if (base === 'varchar') return `(${columnLength / BYTES})`;
  return base.endsWith('int') ? sign : '';
}

function has({ flags }: ResultField, flag: number): boolean {
  return typeof flags === 'number' && (flags & flag) !== 0;
}
