import type pg from 'pg';
import type { InstallationTable } from './installation-tables.ts';

/** The content of a table, whatever the order of its rows and columns. */
export interface Fingerprint {
  readonly rows: number;
  /** Sum of 64 bits of the MD5 of each row as text, which PostgreSQL 15 to 18 write alike. */
  readonly hash: string;
}

/** Settings that decide how values are written as text, and that must not end a long statement or hide a row. */
export const MOVE_SESSION = `
  set datestyle to iso; set intervalstyle to postgres; set timezone to 'UTC'; set bytea_output to hex; set extra_float_digits to 1;
  set statement_timeout to 0; set idle_in_transaction_session_timeout to 0; set row_security to off`;

/** The columns of a table as SQL, separated by commas. */
export const columnList = ({ columns }: InstallationTable): string => columns.map(({ name }) => name).join(', ');

/** Reads the whole table. */
export async function fingerprintOf(client: pg.ClientBase, table: InstallationTable): Promise<Fingerprint> {
  const { rows } = await client.query<{ rows: string; hash: string }>(
    `select count(*)::text as rows,
            coalesce(sum(('x' || left(md5(content::text), 16))::bit(64)::bigint::numeric), 0)::text as hash
       from (select ${columnList(table)} from ${table.name}) content`,
  );
  const [{ rows: count, hash } = { rows: '0', hash: '' }] = rows;
  return { rows: Number(count), hash };
}
