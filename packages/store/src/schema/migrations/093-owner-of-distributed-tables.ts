/**
 * Row-level security of distributed tables no longer applies to their owner. Citus copies shards as the owner: it would move shards
 * without their rows, and report success.
 */
export const ownerOfDistributedTables = `
do $$
declare forced text;
begin
  if to_regclass('unified.joint_commits') is null then return; end if;
  for forced in
    select format('%I.%I', nspname, relname)
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace join pg_dist_partition on logicalrelid = pg_class.oid
     where relforcerowsecurity
  loop
    execute format('alter table %s no force row level security', forced);
  end loop;
end $$;`;
