import { entities } from '@unified/contract';
import pg from 'pg';

/** The columns of vendors that are copied. */
const COLUMNS = entities.Vendor.fields
  .filter(({ kind, name }) => kind !== 'object' && kind !== 'objects' && kind !== 'custom' && name !== '_implements')
  .map(({ name }) => name);

/** Copies the vendors of a connection with new ids and codes. */
export function multiplyVendors(databaseUrl: string, connectionId: string, times: number): Promise<void> {
  const fresh = { id: 'fresh.id', code: `v.code || '-' || n`, _idValue: `v."_idValue" || '-' || n` };
  const copies = '(select n, $1::uuid as connection_id from generate_series(1, $2::int - 1) n) copies';
  return copy(databaseUrl, copies, fresh, [connectionId, times]);
}

/** Copies the vendors of a connection to others, with new ids. */
export function copyVendors(databaseUrl: string, connectionId: string, others: readonly string[]): Promise<void> {
  const copies = 'unnest($2::uuid[]) with ordinality copies(connection_id, n)';
  return copy(databaseUrl, copies, { id: 'fresh.id' }, [connectionId, others]);
}

/**
 * Copies the vendors of the connection `$1` for each row of `copies`, with its number `n`. Uses SQL, because this only prepares the
 * benchmark.
 */
async function copy(
  databaseUrl: string,
  copies: string,
  changed: Readonly<Record<string, string>>,
  parameters: readonly unknown[],
): Promise<void> {
  const values = COLUMNS.map((name) => changed[name] ?? `v."${name}"`);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into data.vendors (connection_id, ${COLUMNS.map((name) => `"${name}"`).join(', ')}, doc, version)
       select copies.connection_id, ${values.join(', ')}, replace(v.doc::text, v.id::text, fresh.id::text)::json, v.version
         from ${copies} cross join data.vendors v
         cross join lateral (select overlay(v.id::text placing lpad(to_hex(n), 4, '0') from 10 for 4)::uuid as id) fresh
        where v.connection_id = $1`,
      [...parameters],
    );
    await client.query('vacuum analyze data.vendors');
  } finally {
    await client.end();
  }
}
