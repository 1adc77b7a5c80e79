import { entities } from '@unified/contract';
import pg from 'pg';
import type { Bench } from './budget.ts';

const BATCH = 1000;
/** Number of documents that are stored. */
const MOST = 30_000;

/** The baseline: inserts the rendered documents into a table with a primary key, in the same batches. */
export async function bareUpsert(databaseUrl: string, bench: Bench) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('create table bare (connection_id uuid, id uuid, doc json, primary key (connection_id, id))');
  return {
    /** Stores all documents of the connection; returns rows per second. */
    async fill(connectionId: string, what: string): Promise<number> {
      const { rows } = await client.query<{ id: string; doc: string }>(
        `select id, doc::text as doc from data."${entities.WorkOrder.table}" where connection_id = $1 limit ${MOST}`,
        [connectionId],
      );
      const began = performance.now();
      for (let from = 0; from < rows.length; from += BATCH) {
        const batch = rows.slice(from, from + BATCH);
        await client.query(
          `insert into bare select $1, * from unnest($2::uuid[], $3::json[])
           on conflict (connection_id, id) do update set doc = excluded.doc`,
          [connectionId, batch.map(({ id }) => id), batch.map(({ doc }) => doc)],
        );
      }
      const rate = rows.length / ((performance.now() - began) / 1000);
      bench.say(`bare upsert, ${what}: ${Math.round(rate)} rows/s`);
      return rate;
    },
    close: () => client.end(),
  };
}
