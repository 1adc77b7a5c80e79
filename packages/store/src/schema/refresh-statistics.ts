import { asOwner, type Store } from '../access/store.ts';
import { tableOf } from '../tables/derive-table.ts';
import { storedEntities } from '../tables/derive-view.ts';

const SYSTEM_TABLES = ['unified.raw_rows', 'unified.changes', 'unified.writes', 'unified.links'];

/** Tables that have more than this number of times the added rows keep their statistics. */
const LARGER = 10;

/**
 * Updates the statistics of PostgreSQL's planner after this number of rows were added: those of the tables that such a number
 * can change noticeably. After a first load this is worthwhile: autovacuum would do it only a minute later, and until then
 * lists can be several times slower. For a few rows, reading samples of the large tables of all connections would take much
 * longer than the load.
 */
export async function refreshStatistics(store: Store, added = Number.POSITIVE_INFINITY): Promise<void> {
  const all = [...SYSTEM_TABLES, ...storedEntities(store.entities).map(tableOf)];
  const { rows } = await asOwner<{ name: string }>(
    store,
    `select name from unnest($1::text[]) with ordinality as wanted(name, place)
       join pg_class on oid = name::regclass where reltuples <= $2::float8 order by place`,
    [all, added * LARGER],
  );
  if (rows.length > 0) await asOwner(store, `analyze ${rows.map(({ name }) => name).join(', ')}`);
}
