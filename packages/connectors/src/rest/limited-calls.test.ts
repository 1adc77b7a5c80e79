import { expect, test } from 'vitest';
import { limitedParents } from '../../test/limited-parents.ts';
import { limitedPass } from '../../test/limited-pass.ts';
import { restSystemAt } from '../../test/rest-system.ts';
import type { Driver } from '../driver.ts';
import type { Stream } from '../platform.ts';

const streams = {
  things: { list: { address: '/things', rows: 'items' } },
  parts: { list: { address: '/things/{thing}/parts', rows: 'items' }, parents: { stream: 'things', as: 'thing' } },
};

/** The keys of all rows of a stream, in order. */
async function keysOfPass(driver: Driver, stream: Stream): Promise<string[]> {
  const pages = await limitedPass((from) => driver.pull({ stream, from, limit: 100 }));
  return pages.flatMap(({ rows }) => rows.map(({ key }) => key));
}

test('a pass over the lists of parents continues where the system accepted no more calls', async () => {
  const { url, calls } = await limitedParents();
  const { driver, stream } = restSystemAt(url, { streams });
  expect(await keysOfPass(driver, stream('parts'))).toEqual(
    Array.from({ length: 60 }, (_, index) => index + 1)
      .filter((id) => id % 3 !== 1)
      .map(String),
  );
  const lists = calls.filter((path) => path.endsWith('/parts'));
  expect(lists).toHaveLength(60);
});

test.each([18, 20])(
  'a pass that reads each of %i rows on its own keeps those that were read when the system accepts no more calls',
  async (count) => {
    const { url, calls } = await limitedParents({ count });
    const detail = { address: '/things/{id}', each: true as const };
    const things = { list: { address: '/things', rows: 'items' }, detail };
    const { driver, stream } = restSystemAt(url, { streams: { things } });
    const keys = Array.from({ length: count }, (_, index) => `${index + 1}`);
    expect(await keysOfPass(driver, stream('things'))).toEqual(keys);
    expect(calls.filter((path) => path.startsWith('/things/'))).toEqual(keys.map((key) => `/things/${key}`));
  },
);

test('the columns of lists of parents are those of the first list with rows', async () => {
  const { url, calls } = await limitedParents({ limit: 1000 });
  const { driver, stream } = restSystemAt(url, { streams });
  const columns = await driver.discover.columns(stream('parts'));
  expect(columns?.map(({ name }) => name)).toEqual(['id', 'name', 'thing']);
  expect(calls).toEqual(['/things', '/things/1/parts', '/things/2/parts']);
});

test('the columns of lists of parents without rows cost a few calls', async () => {
  const { url, calls, behavior } = await limitedParents({ limit: 1000 });
  behavior.things = behavior.things.map((id) => 3 * id + 1);
  const { driver, stream } = restSystemAt(url, { streams });
  expect(await driver.discover.columns(stream('parts'))).toBeNull();
  expect(calls).toHaveLength(11);
});

test('the columns of rows that were read cost no call', async () => {
  const { url, calls } = await limitedParents();
  const { driver, stream } = restSystemAt(url, { streams });
  const rows = [{ key: '1', row: { id: 1, name: 'Part 1', thing: '1' } }];
  expect((await driver.discover.columns(stream('parts'), rows))?.map(({ name }) => name)).toEqual([
    'id',
    'name',
    'thing',
  ]);
  expect(await driver.discover.columns(stream('parts'), [])).toBeNull();
  expect(calls).toEqual([]);
});
