/**
 * A position in the write-ahead log of PostgreSQL, as 16 hexadecimal digits. Later positions sort after earlier ones, as texts
 * and as positions.
 */
export type WalPosition = string;

/** SQL: the position that contains every commit that is visible, on a server that is not a replica. */
export const CURRENT_POSITION = 'pg_current_wal_insert_lsn()::text';

/** The position that PostgreSQL writes as `16/B374D848`. */
export function walPosition(lsn: string): WalPosition {
  const [segment = '', offset = ''] = lsn.split('/');
  return (segment.padStart(8, '0') + offset.padStart(8, '0')).toUpperCase();
}

/** The number of bytes of the log between two positions; 0 if the first is not before the second. */
export function bytesBetween(from: WalPosition, to: WalPosition): number {
  return from < to ? Number(BigInt(`0x${to}`) - BigInt(`0x${from}`)) : 0;
}
