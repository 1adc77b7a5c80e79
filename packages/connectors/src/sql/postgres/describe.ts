import type pg from 'pg';
import type { CatalogColumn } from '../dialect/sql-dialect.ts';
import { catalogColumn } from './catalog.ts';

/** Columns of the rows of a SELECT, none of which is read. The server reports domains as their base types. */
export async function describe(pool: pg.Pool, select: string): Promise<CatalogColumn[]> {
  const { fields } = await pool.query(`${select} LIMIT 0`);
  const { rows } = await pool.query<{ type: string; base: string }>(
    `SELECT format_type(id, modifier) AS type, typname AS base
     FROM unnest($1::oid[], $2::int[]) WITH ORDINALITY AS field(id, modifier, place) JOIN pg_type ON pg_type.oid = id
     ORDER BY place`,
    [fields.map(({ dataTypeID }) => dataTypeID), fields.map(({ dataTypeModifier }) => dataTypeModifier)],
  );
  return rows.map((row, index) => catalogColumn({ name: fields[index]?.name, ...row }));
}
