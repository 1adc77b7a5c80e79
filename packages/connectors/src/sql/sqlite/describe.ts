import type { CatalogColumn, Query } from '../dialect/sql-dialect.ts';
import { columnsOf } from './catalog.ts';

let described = 0;

/**
 * Columns of the rows of a SELECT, which is not run. In a view, a `CAST` has the type that it names; in the result of a
 * statement, it has none. Temporary views are not part of the file.
 */
export async function describe(query: Query, select: string): Promise<CatalogColumn[]> {
  described += 1;
  const view = `described_${described}`;
  await query(`CREATE TEMP VIEW ${view} AS ${select}`);
  try {
    return await columnsOf(query, { schema: 'temp', name: view });
  } finally {
    await query(`DROP VIEW IF EXISTS temp.${view}`);
  }
}
