import { entities } from '@unified/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Shown, type Trial, together, trialsOf } from './filter-rules.ts';
import { type Company, START_MS, startCompany } from './served-company.ts';

let company: Company;

beforeAll(async () => {
  company = await startCompany();
}, START_MS);
afterAll(() => company.stop());

/** Maximum time for thousands of lists of one entity on a busy machine. */
const TRIALS_MS = 600_000;
/** Number of records on a page; records after it are only counted. */
const PAGE = 20;
/** Number of concurrent requests. Each uses a connection to PostgreSQL, which reads the definitions of all tables again. */
const AT_ONCE = 3;

describe.each(Object.values(entities))('lists of $name', ({ collection, fields }) => {
  test('follow the rules, for every field and every operator that it accepts', {
    timeout: TRIALS_MS,
  }, async () => {
    // In the same order as the lists that are compared with them.
    const records = (await company.all<Shown>(`/${collection}`)).sort((a, b) => (a.id < b.id ? -1 : 1));
    expect(records.length).toBeGreaterThan(0);
    const wrong: string[] = [];
    const next = together(trialsOf(fields, records), records)[Symbol.iterator]();
    const work = async () => {
      for (const trials of next) wrong.push(...(await differences(collection, trials)));
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    expect(wrong).toEqual([]);
  });
});

/**
 * Differences between these records and a list with these conditions, all of which match the same records; empty if there are
 * none.
 */
async function differences(collection: string, trials: readonly Trial[]): Promise<string[]> {
  const query = trials.map(({ key, value }) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`).join('&');
  const path = `/${collection}?${query}&sort=id&per_page=${PAGE}&with_total=true&fields=id`;
  const { status, body } = await company.send<{ data: Shown[]; meta: { total: number } }>(path);
  const conditions = trials.map(({ key, value }) => `${key}=${value}`).join('&');
  if (status !== 200) return [`${conditions}: ${status} ${JSON.stringify(body)}`];
  const expected = trials[0]?.expected ?? [];
  const found = body.data.map(({ id }) => id);
  const isSame = body.meta.total === expected.length && found.join() === expected.slice(0, PAGE).join();
  return isSame ? [] : [`${conditions}: ${body.meta.total} instead of ${expected.length}`];
}
