/**
 * The ends of the change log of each connection, for readers, next to the changes. `change_cursors` is on another server in a
 * distributed database, where its transactions become visible before their changes.
 *
 * A trigger copies each change of the cursor, so that no writer can omit this, whatever its release. It also runs when a
 * transaction only locks the cursor: the transaction then waits until the previous one is visible to it. The table has no foreign
 * key, because the cursor has one. The function runs only on the coordinator.
 */
export const changeLogBounds = `
create table unified.change_log_bounds (
  connection_id uuid primary key,
  last bigint not null,
  "lastAt" timestamptz,
  expired bigint not null
);

set local citus.enable_ddl_propagation to off;
create function unified.keep_change_log_bounds() returns trigger language plpgsql as $$
begin
  insert into unified.change_log_bounds (connection_id, last, "lastAt", expired)
  values (new.connection_id, new.seq, new."changedAt", new.expired)
  on conflict (connection_id) do update
    set last = excluded.last, "lastAt" = excluded."lastAt", expired = excluded.expired;
  return null;
end $$;
set local citus.enable_ddl_propagation to default;

create trigger keep_bounds after insert or update of seq, expired on unified.change_cursors
  for each row execute function unified.keep_change_log_bounds();

insert into unified.change_log_bounds (connection_id, last, "lastAt", expired)
select connection_id, seq, "changedAt", expired from unified.change_cursors;`;
