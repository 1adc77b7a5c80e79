import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { tableOf } from '../tables/derive-table.ts';
import { storedEntities } from '../tables/derive-view.ts';
import { refreshStatistics } from './refresh-statistics.ts';

const { store, admin } = await testDatabase();
const [entity] = storedEntities(store.entities);
const records = entity ? tableOf(entity) : '';

/** How often the statistics of a table were updated. */
async function updates(table: string): Promise<number> {
  const { rows } = await admin.query('select pg_stat_get_analyze_count($1::regclass)::int count', [table]);
  return rows[0].count;
}

test('a few rows update the statistics of small tables only', async () => {
  await refreshStatistics(store);
  const [few, many] = [await updates(records), await updates('unified.raw_rows')];
  await admin.query(`update pg_class set reltuples = 1000 where oid = 'unified.raw_rows'::regclass`);
  await refreshStatistics(store, 4);
  expect([await updates(records), await updates('unified.raw_rows')]).toEqual([few + 1, many]);
  await refreshStatistics(store, 100);
  expect(await updates('unified.raw_rows')).toBe(many + 1);
});
