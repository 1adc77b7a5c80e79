/**
 * The time of the oldest change that is kept of a connection; null if there is none. A function, because a distributed database
 * cannot read the first change of each of several connections in one statement. It runs only on the coordinator there.
 */
export const oldestChanges = `
set local citus.enable_ddl_propagation to off;
create function unified.oldest_change(connection uuid) returns timestamptz language plpgsql stable as $$
begin
  return (select at from unified.changes where connection_id = connection order by seq limit 1);
end $$;
set local citus.enable_ddl_propagation to default;`;
