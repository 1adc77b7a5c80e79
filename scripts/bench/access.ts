import { entities, referredEntities } from '@unified/contract';
import { issueConnectionToken, openStore, type TokenAccess } from '@unified/store';
import { type Bench, median, medianRatio, type Part, type Result } from './budget.ts';
import { startServer } from './child.ts';
import { listFixture } from './list-fixture.ts';
import { type Load, throughput } from './load.ts';
import { requestPage } from './walks.ts';

const OPERATIONS = '500';
const ROUNDS = 13;
const LIST = '/v4/vendors';
/**
 * Labels of records outside of the access are hidden, which the open list does not do. So the token has access to all of these
 * records.
 */
const RELATED = referredEntities(entities.Vendor.fields)
  .filter((entity) => entity !== 'Vendor')
  .map((entity) => ({ entity }));
const FIELDS = ['code', 'name', 'currency', 'isActive', 'terms'];

/** Pages of 50 vendors with narrowed tokens, against the same pages of a server without authentication. */
export const access: Part = {
  name: 'access',
  about: 'list throughput with authentication, narrowed tokens and limits against the same list without them',
  async measure(bench) {
    const databaseUrl = await bench.databaseNamed('bench_access');
    const { connectionId } = await listFixture(databaseUrl, 10_000);
    const env = { DATABASE_URL: databaseUrl, CONNECTION_ID: connectionId, OPERATIONS };
    const [ours, open] = [await startServer('ours.ts', env), await startServer('open.ts', env)];
    const narrowed = (given: TokenAccess) => tokenFor(databaseUrl, connectionId, given);
    const load = (name: string, { url }: { url: string }, path: string, token = '') => ({
      ...{ name, url, paths: [path], headers: { Authorization: `Bearer ${token}` } },
    });
    try {
      return [
        await compare(bench, 'entities', [
          load('narrowed', ours, LIST, await narrowed([{ entity: 'Vendor' }, ...RELATED])),
          load('open', open, LIST),
        ]),
        await compare(bench, 'fields', [
          load('narrowed', ours, LIST, await narrowed([{ entity: 'Vendor', fields: FIELDS }, ...RELATED])),
          load('open', open, `${LIST}?fields=${FIELDS.join(',')}`),
        ]),
      ];
    } finally {
      await Promise.all([ours.stop(), open.stop()]);
    }
  },
};

async function tokenFor(databaseUrl: string, connectionId: string, given: TokenAccess): Promise<string> {
  const store = await openStore({ databaseUrl, publicUrl: 'http://localhost:4000', entities });
  try {
    return (await issueConnectionToken(store, { connectionId, access: given })).token;
  } finally {
    await store.close();
  }
}

async function compare(bench: Bench, what: string, loads: readonly [Load, Load]): Promise<Result> {
  const [mine, other] = await Promise.all(
    loads.map(({ url, paths: [path = ''], headers }) =>
      requestPage(url, path, (headers.Authorization ?? '').replace('Bearer ', '')),
    ),
  );
  if (mine?.text !== other?.text) throw new Error(`The page of a token narrowed to ${what} differs.`);
  const [narrowed, open] = await throughput(loads, { seconds: bench.seconds, rounds: ROUNDS });
  const figures = { 'narrowed, pages/s': Math.round(median(narrowed)), 'open, pages/s': Math.round(median(open)) };
  bench.say(`${what}: ${figures['narrowed, pages/s']} pages/s narrowed, ${figures['open, pages/s']} open`);
  return {
    name: `list with a token narrowed to ${what} against open`,
    value: medianRatio(narrowed, open),
    unit: 'of open',
    budget: { atLeast: 0.95 },
    figures,
  };
}
