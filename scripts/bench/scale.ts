import type { Bench, Part, Result } from './budget.ts';
import { startServer } from './child.ts';
import { indexBuild } from './index-build.ts';
import { listFixture } from './list-fixture.ts';
import { latency, type Target } from './load.ts';
import { multiplyVendors } from './multiply-vendors.ts';

const SMALL = 10_000;
const LARGE = 1_000_000;
const REQUESTS = 200;

/** Latency of lists of a connection with a million records against one with ten thousand, in the same tables. */
export const scale: Part = {
  name: 'scale',
  about: 'list latency at 1 M records against 10 k, and while an index of these records is built',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_scale');
    const small = await listFixture(databaseUrl, SMALL);
    const large = await listFixture(databaseUrl, 1000);
    bench.say(`copying records until one connection has ${LARGE}`);
    await multiplyVendors(databaseUrl, large.connectionId, LARGE / 1000);
    const server = await startServer('ours.ts', { DATABASE_URL: databaseUrl, OPERATIONS: '0' });
    try {
      const results = await compare(bench, server.url, { small: small.token, large: large.token });
      return [
        ...results,
        await indexBuild(bench, databaseUrl, { url: `${server.url}/v4/vendors`, token: small.token }),
      ];
    } finally {
      await server.stop();
    }
  },
};

async function compare(bench: Bench, url: string, tokens: { small: string; large: string }): Promise<Result[]> {
  const results: Result[] = [];
  for (const [name, queryOf] of Object.entries(queries(url))) {
    const targets: Target[] = [];
    for (const [size, token] of Object.entries(tokens)) {
      const headers = { Authorization: `Bearer ${token}` };
      targets.push({ name: size, headers, url: `${url}/v4/vendors?per_page=50${await queryOf(headers, size)}` });
    }
    const taken = await latency(targets, REQUESTS);
    bench.say(`${name}: ${taken.small?.toFixed(2)} ms at ${SMALL}, ${taken.large?.toFixed(2)} ms at ${LARGE}`);
    results.push({
      name: `list at 1 M against 10 k records: ${name}`,
      value: (taken.large ?? Number.NaN) / (taken.small ?? Number.NaN),
      unit: 'times',
      budget: { atMost: 1.5 },
      figures: { 'ms at 10 k': taken.small ?? Number.NaN, 'ms at 1 M': taken.large ?? Number.NaN },
    });
  }
  return results;
}

type QueryOf = (headers: Record<string, string>, size: string) => Promise<string>;

function queries(url: string): Record<string, QueryOf> {
  const body = async (query: string, headers: Record<string, string>) => {
    const response = await fetch(`${url}/v4/vendors?${query}`, { headers });
    if (!response.ok) throw new Error(`${query}: ${response.status} ${await response.text()}`);
    return response.json() as Promise<{
      data: { code: string; currency: { id: string } }[];
      meta: { next_cursor: string };
    }>;
  };
  return {
    'first page': async () => '',
    'filter by relation': async (headers) => {
      const { data } = await body('per_page=1', headers);
      return `&filter[currency]=${data[0]?.currency.id}`;
    },
    'filter by code': async (headers) => {
      const { data } = await body('per_page=1&page=900', headers);
      return `&filter[code]=${encodeURIComponent(data[0]?.code ?? '')}`;
    },
    'cursor in the middle': async (headers, size) => {
      const middle = (size === 'large' ? LARGE : SMALL) / 2 / 50;
      const { meta } = await body(`per_page=50&page=${middle}`, headers);
      return `&cursor=${meta.next_cursor}`;
    },
    'newest first': async () => '&sort=-_updatedAt',
  };
}
