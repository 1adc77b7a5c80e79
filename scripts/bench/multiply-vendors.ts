import { entities } from '@unified/contract';
import pg from 'pg';

/** Copies the vendors of a connection with new ids and codes. Uses SQL, because this only prepares the benchmark. */
export async function multiplyVendors(databaseUrl: string, connectionId: string, times: number): Promise<void> {
  const columns = entities.Vendor.fields
    .filter(({ kind, name }) => kind !== 'object' && kind !== 'objects' && kind !== 'custom' && name !== '_implements')
    .map(({ name }) => name);
  const changed: Record<string, string> = {
    id: 'fresh.id',
    code: `v.code || '-' || n`,
    _idValue: `v."_idValue" || '-' || n`,
  };
  const values = columns.map((name) => changed[name] ?? `v."${name}"`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into data.vendors (connection_id, ${columns.map((name) => `"${name}"`).join(', ')}, doc, version)
       select v.connection_id, ${values.join(', ')}, replace(v.doc::text, v.id::text, fresh.id::text)::json, v.version
         from generate_series(1, $2::int - 1) n
         cross join data.vendors v
         cross join lateral (select overlay(v.id::text placing lpad(to_hex(n), 4, '0') from 10 for 4)::uuid as id) fresh
        where v.connection_id = $1`,
      [connectionId, times],
    );
    await client.query('vacuum analyze data.vendors');
  } finally {
    await client.end();
  }
}
