import { asOwner, type Store } from '../access/store.ts';
import { tableOf } from '../tables/derive-table.ts';
import { storedEntities } from '../tables/derive-view.ts';

const SYSTEM_TABLES = ['unified.raw_rows', 'unified.changes', 'unified.writes', 'unified.links'];

/**
 * Updates the statistics of PostgreSQL's planner. After a first load this is worthwhile: autovacuum would do it only a minute
 * later, and until then lists can be several times slower.
 */
export async function refreshStatistics(store: Store): Promise<void> {
  const tables = [...SYSTEM_TABLES, ...storedEntities(store.entities).map(tableOf)];
  await asOwner(store, `analyze ${tables.join(', ')}`);
}
