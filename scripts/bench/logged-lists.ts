import { median, medianRatio, type Part } from './budget.ts';
import { startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';
import { throughput } from './load.ts';
import { oneAddress } from './walks.ts';

const ROUNDS = 13;

/** Pages of 50 vendors per second of a server that logs each request, and of one that does not. */
export const loggedLists: Part = {
  name: 'request-log',
  about: 'list throughput with the request log against throughput without it',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_request_log');
    const { connectionId, token } = await listFixture(databaseUrl, 10_000);
    const env = { DATABASE_URL: databaseUrl, CONNECTION_ID: connectionId, TOKEN: token, OPERATIONS: '500' };
    const servers = [
      await startServer('ours.ts', env),
      await startServer('ours.ts', { ...env, REQUEST_LOG: 'off' }),
    ] as const;
    const load = (name: string, { url }: { readonly url: string }) => ({
      ...{ name, url, headers: { Authorization: `Bearer ${token}` }, paths: oneAddress.paths },
    });
    try {
      const loads = [load('logged', servers[0]), load('not logged', servers[1])] as const;
      const [logged, unlogged] = await throughput(loads, { seconds: bench.seconds, rounds: ROUNDS });
      const figures = {
        'logged pages/s': Math.round(median(logged)),
        'not logged pages/s': Math.round(median(unlogged)),
      };
      bench.say(`${figures['logged pages/s']} logged, ${figures['not logged pages/s']} not logged pages/s`);
      const value = medianRatio(logged, unlogged);
      const name = 'list of 50 with the request log against without it';
      return [{ name, value, unit: 'of unlogged', budget: { atLeast: 0.95 }, figures }];
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  },
};
