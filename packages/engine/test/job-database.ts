import { makeWorkerUtils } from 'graphile-worker';
import { schema } from '../src/jobs/jobs.ts';

type Query = (sql: string, values: unknown[]) => Promise<Record<string, unknown>[]>;

/** Runs SQL in the database of the jobs, which has all tables of the service. */
export async function withDatabase(databaseUrl: string, work: (query: Query) => Promise<void>): Promise<void> {
  const utils = await makeWorkerUtils({ connectionString: databaseUrl, schema });
  try {
    await utils.withPgClient((client) =>
      work(async (sql, values) => (await client.query<Record<string, unknown>>(sql, values)).rows),
    );
  } finally {
    await utils.release();
  }
}
