/**
 * Tables that requests and workers write to first. A row in one of them cannot outlive its connection, and cannot be added
 * after the connection is deleted.
 */
const OWNED = ['heads', 'lanes', 'sync_streams', 'loose_contents', 'contents', 'content_chunks'];

/**
 * The name of a connection is unique within its application. If several connections have the same name, the oldest one keeps it
 * and the others get a number: `Tryton`, `Tryton (2)`, `Tryton (3)`.
 */
export const connections = `
do $$
declare
  later record;
  n int;
begin
  for later in
    select id, "applicationId", name from unified.connections connection
     where exists (select from unified.connections older
                    where older."applicationId" = connection."applicationId" and older.name = connection.name
                      and older.id < connection.id)
     order by id
  loop
    n := 2;
    while exists (select from unified.connections
                   where "applicationId" = later."applicationId" and name = format('%s (%s)', later.name, n))
    loop
      n := n + 1;
    end loop;
    update unified.connections set name = format('%s (%s)', later.name, n) where id = later.id;
  end loop;
end $$;
create unique index if not exists connections_by_name on unified.connections ("applicationId", name);
${OWNED.map(belongsToConnection).join('\n')}`;

/** Checked when a row is added, not when it changes, so that syncs and writes have no extra cost. */
function belongsToConnection(table: string): string {
  return `
delete from unified.${table} where connection_id not in (select id from unified.connections);
alter table unified.${table} drop constraint if exists ${table}_of_connection,
  add constraint ${table}_of_connection foreign key (connection_id) references unified.connections;`;
}
