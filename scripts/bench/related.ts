import { type Bench, median, medianRatio, type Part, type Result } from './budget.ts';
import { startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';
import { throughput } from './load.ts';

/** Pages of 50 vendors filtered by the code of their currency, against pages filtered by its id, in the same tables. */
export const related: Part = {
  name: 'related',
  about: 'lists filtered by a code of a related record against the same lists by its id',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_related');
    const { token } = await listFixture(databaseUrl, 10_000);
    const server = await startServer('ours.ts', { DATABASE_URL: databaseUrl, OPERATIONS: '0' });
    try {
      return [await compare(bench, server.url, token)];
    } finally {
      await server.stop();
    }
  },
};

const ROUNDS = 13;

async function compare(bench: Bench, url: string, token: string): Promise<Result> {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/v4/currencies?filter[code]=EUR`, { headers });
  const { data } = (await response.json()) as { data: { id: string }[] };
  const target = (name: string, filter: string) => ({ name, url, headers, paths: [`/v4/vendors?${filter}`] });
  const [byId, byCode] = await throughput(
    [target('by id', `filter[currency]=${data[0]?.id}`), target('by code', 'filter[currency.code]=EUR')],
    { seconds: bench.seconds, rounds: ROUNDS },
  );
  const figures = { 'by id, pages/s': Math.round(median(byId)), 'by code, pages/s': Math.round(median(byCode)) };
  bench.say(`${figures['by id, pages/s']} pages/s by id, ${figures['by code, pages/s']} by code`);
  return {
    name: 'list by a related code against the list by its id',
    value: medianRatio(byId, byCode),
    unit: 'times',
    budget: { atMost: 1.3 },
    figures,
  };
}
