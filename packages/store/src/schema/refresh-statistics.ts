import { asOwner, internalsOf, type Store } from '../access/store.ts';
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
    `with distributed as (${internalsOf(store).isDistributed ? ON_WORKERS : NONE})
     select wanted.name from unnest($1::text[]) with ordinality as wanted(name, place)
       join pg_class on oid = wanted.name::regclass left join distributed using (oid)
      where coalesce(rows, reltuples) <= $2::float8 order by place`,
    [all, added * LARGER],
  );
  if (rows.length > 0) await asOwner(store, `analyze ${rows.map(({ name }) => name).join(', ')}`);
}

const NONE = 'select null::oid as oid, null::float8 as rows where false';

/** The rows of distributed tables are in their shards; the coordinator knows of none. */
const ON_WORKERS = `
  select key::regclass::oid as oid, sum(value::float8) as rows
    from run_command_on_workers($workers$
           select coalesce(json_object_agg(name, rows), '{}')::text
             from (select logicalrelid::text as name, sum(greatest(reltuples, 0)) as rows
                     from pg_dist_shard join pg_dist_placement using (shardid)
                          join pg_class on oid = to_regclass(shard_name(logicalrelid, shardid))
                    where groupid = (select groupid from pg_dist_local_group) group by 1) tables
         $workers$) as counted, json_each_text(case when success then result::json else '{}' end)
   group by 1`;
