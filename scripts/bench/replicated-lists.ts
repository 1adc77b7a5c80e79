import pg from 'pg';
import { startStandby } from '../../packages/store/test/standby.ts';
import { median, medianRatio, type Part } from './budget.ts';
import { startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';
import { throughput } from './load.ts';
import { oneAddress } from './walks.ts';

const ROUNDS = 13;
/** A position that every replica has reached. */
const REACHED = '0000000000000001';

/** Pages of 50 vendors per second of a server that reads from a replica, and of one that reads from the primary. */
export const replicatedLists: Part = {
  name: 'replica',
  about: 'list throughput with a read replica on the same machine against throughput without it',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_replica');
    const { connectionId, token } = await listFixture(databaseUrl, 10_000);
    const standby = await startStandby({ dataDir: bench.dataDir, url: databaseUrl });
    const env = { DATABASE_URL: databaseUrl, CONNECTION_ID: connectionId, TOKEN: token, OPERATIONS: '500' };
    const servers = [
      await startServer('ours.ts', { ...env, DATABASE_REPLICA_URLS: standby.url }),
      await startServer('ours.ts', env),
    ] as const;
    const load = (name: string, { url }: { readonly url: string }, more: Readonly<Record<string, string>> = {}) => ({
      ...{ name, url, headers: { Authorization: `Bearer ${token}`, ...more }, paths: oneAddress.paths },
    });
    try {
      const loads = [
        load('replica', servers[0]),
        load('replica with position', servers[0], { 'Data-Position': REACHED }),
        load('primary', servers[1]),
      ] as const;
      const before = await transactions(standby.url);
      const [replica, positioned, primary] = await throughput(loads, { seconds: bench.seconds, rounds: ROUNDS });
      const figures = {
        'replica pages/s': Math.round(median(replica)),
        'replica with position pages/s': Math.round(median(positioned)),
        'primary pages/s': Math.round(median(primary)),
        'transactions on the replica': (await transactions(standby.url)) - before,
      };
      bench.say(
        Object.entries(figures)
          .map(([name, value]) => `${value} ${name}`)
          .join(', '),
      );
      const budget = { atMost: 1.1 };
      return [
        {
          name: 'cost of a list of 50 with a replica',
          value: medianRatio(primary, replica),
          unit: 'times',
          budget,
          figures,
        },
        {
          ...{ name: 'cost of a list of 50 with a replica and a position', unit: 'times', budget, figures },
          value: medianRatio(primary, positioned),
        },
      ];
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
      await standby.remove();
    }
  },
};

/** Transactions that a server has completed in a database. */
async function transactions(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query(
    'select xact_commit::int as count from pg_stat_database where datname = current_database()',
  );
  await client.end();
  return rows[0].count;
}
