import { entities } from '@unified/contract';
import pg from 'pg';

/**
 * Copies the work orders of a connection and their rows with new ids and keys, until there are `times` as many. Uses SQL, because
 * this only prepares the benchmark.
 */
export async function multiplyWorkOrders(databaseUrl: string, connectionId: string, times: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into unified.raw_rows (connection_id, stream, key, row, hash)
       select connection_id, stream, key || '-' || n,
              replace(row::text, '"id":"' || key || '"', '"id":"' || key || '-' || n || '"')::json, hash
         from generate_series(1, $2::int - 1) n cross join unified.raw_rows
        where connection_id = $1 and stream = 'job'`,
      [connectionId, times],
    );
    await client.query(copyOfRecords(), [connectionId, times]);
    await client.query('vacuum analyze unified.raw_rows');
    await client.query(`vacuum analyze data."${entities.WorkOrder.table}"`);
  } finally {
    await client.end();
  }
}

function copyOfRecords(): string {
  const columns = entities.WorkOrder.fields
    .filter(({ kind, name }) => kind !== 'object' && kind !== 'objects' && name !== '_implements')
    .map(({ name }) => name);
  const changed: Record<string, string> = { id: 'fresh.id', _idValue: `r."_idValue" || '-' || n` };
  const names = columns.map((name) => `"${name}"`).join(', ');
  const values = columns.map((name) => changed[name] ?? `r."${name}"`).join(', ');
  return `insert into data."${entities.WorkOrder.table}" (connection_id, ${names}, doc, version)
    select r.connection_id, ${values},
           regexp_replace(replace(r.doc::text, r.id::text, fresh.id::text),
             '"_idValue":"[^"]*"', '"_idValue":"' || r."_idValue" || '-' || n || '"')::json, r.version
      from generate_series(1, $2::int - 1) n
      cross join data."${entities.WorkOrder.table}" r
      cross join lateral (select overlay(r.id::text placing lpad(to_hex(n), 4, '0') from 10 for 4)::uuid as id) fresh
     where r.connection_id = $1`;
}
