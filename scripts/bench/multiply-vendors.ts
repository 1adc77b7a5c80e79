import { entities } from '@unified/contract';
import pg from 'pg';

/** The columns of vendors that are copied. */
const COLUMNS = entities.Vendor.fields
  .filter(({ kind, name }) => kind !== 'object' && kind !== 'objects' && kind !== 'custom' && name !== '_implements')
  .map(({ name }) => name);

/** Copies that one statement makes, so that progress can be shown. */
const STEP = 100;

/**
 * Copies the vendors of a connection with new ids and codes until there are `times` as many. Calls `onCopied` with the number that
 * there are then, after each step.
 */
export async function multiplyVendors(
  databaseUrl: string,
  connectionId: string,
  times: number,
  onCopied: (times: number) => void = () => {},
): Promise<void> {
  const fresh = { id: 'fresh.id', code: `v.code || '-' || n`, _idValue: `v."_idValue" || '-' || n` };
  const copies = '(select n, $1::uuid as connection_id from generate_series($2::int, $3::int) n) copies';
  await copying(databaseUrl, connectionId, async (copy) => {
    for (let made = 1; made < times; ) {
      const until = Math.min(made - (made % STEP) + STEP, times);
      await copy(copies, fresh, [made, until - 1]);
      onCopied(until);
      made = until;
    }
  });
}

/**
 * Copies the vendors of a connection to others, with new ids. Those of one connection are stored next to each other, as a sync
 * stores them. In the order of the vendors, each vendor of a list would be in a different page of the table.
 */
export function copyVendors(databaseUrl: string, connectionId: string, others: readonly string[]): Promise<void> {
  const copies = 'unnest($2::uuid[]) with ordinality copies(connection_id, n)';
  return copying(databaseUrl, connectionId, (copy) => copy(copies, { id: 'fresh.id' }, [others], 'order by n'));
}

type Copy = (
  copies: string,
  changed: Readonly<Record<string, string>>,
  parameters: readonly unknown[],
  order?: string,
) => Promise<void>;

/**
 * Calls `work` with a function that copies the vendors that the connection `$1` had at first, for each row of `copies`, with its
 * number `n`, in this order if any. Uses SQL, because this only prepares the benchmark.
 */
async function copying(databaseUrl: string, connectionId: string, work: (copy: Copy) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `create temporary table originals as select * from data.vendors where connection_id = '${connectionId}'`,
    );
    await work(async (copies, changed, parameters, order = '') => {
      const values = COLUMNS.map((name) => changed[name] ?? `v."${name}"`);
      await client.query(
        `insert into data.vendors (connection_id, ${COLUMNS.map((name) => `"${name}"`).join(', ')}, doc, version)
         select copies.connection_id, ${values.join(', ')}, replace(v.doc::text, v.id::text, fresh.id::text)::json, v.version
           from ${copies} cross join originals v
           cross join lateral (select overlay(v.id::text placing lpad(to_hex(n), 4, '0') from 10 for 4)::uuid as id) fresh
          where v.connection_id = $1 ${order}`,
        [connectionId, ...parameters],
      );
    });
    await client.query('vacuum analyze data.vendors');
  } finally {
    await client.end();
  }
}
