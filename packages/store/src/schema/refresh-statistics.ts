import { asOwner, type Store } from '../access/store.ts';
import { tableOf } from '../tables/derive-table.ts';
import { storedEntities } from '../tables/derive-view.ts';

const SYSTEM_TABLES = ['unified.raw_rows', 'unified.changes', 'unified.writes', 'unified.links'];

/**
 * Tells PostgreSQL's planner what the tables hold. After a first load it is worth while: by itself the planner learns of
 * it a minute later, and until then lists can be read several times slower.
 */
export async function refreshStatistics(store: Store): Promise<void> {
  const tables = [...SYSTEM_TABLES, ...storedEntities(store.entities).map(tableOf)];
  await asOwner(store, `analyze ${tables.join(', ')}`);
}
