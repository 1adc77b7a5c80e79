import { expect, it } from 'vitest';
import { KnownHolders } from './known-holders.ts';

/** Holders `a`, `b` and `c`, which were just looked up, with a clock that the test sets, and the look-ups that renew them. */
function known() {
  const clock = { now: 0 };
  const asked: { digests: readonly string[]; answer: (found: object) => void; fail: (error: Error) => void }[] = [];
  const holders = new KnownHolders<string>(
    (digests) =>
      new Promise((resolve, reject) => {
        asked.push({ digests, answer: (found) => resolve(new Map(Object.entries(found))), fail: reject });
      }),
    () => clock.now,
  );
  // The first request finds nothing to renew.
  holders.get('a');
  for (const digest of ['a', 'b', 'c']) holders.set(digest, `first ${digest}`);
  /** What a request at this time finds. Earlier results have been stored by then. */
  const getAt = async (now: number, digest: string) => {
    await new Promise(setImmediate);
    clock.now = now;
    return holders.get(digest);
  };
  return { holders, asked, getAt };
}

it('a request renews all holders that expire soon, in one look-up, and is not delayed by it', async () => {
  const { asked, getAt } = known();
  expect(await getAt(3_900, 'a')).toBe('first a');
  expect(asked).toEqual([]);
  expect(await getAt(4_200, 'a')).toBe('first a');
  expect(asked.map(({ digests }) => digests)).toEqual([['a', 'b', 'c']]);
  asked[0]?.answer({ a: 'second a', b: 'second b', c: 'second c' });
  expect(await getAt(9_100, 'b')).toBe('second b');
});

it('a holder is used for five seconds after it was looked up, even if its renewal takes longer', async () => {
  const { asked, getAt } = known();
  expect(await getAt(4_200, 'a')).toBe('first a');
  expect(await getAt(4_999, 'a')).toBe('first a');
  expect(await getAt(5_000, 'a')).toBe(undefined);
  // The five seconds begin when the statement is sent, not when its result arrives.
  asked[0]?.answer({ a: 'second a' });
  expect(await getAt(9_199, 'a')).toBe('second a');
  expect(await getAt(9_200, 'a')).toBe(undefined);
});

it('a token that a renewal does not find is no longer known', async () => {
  const { asked, getAt } = known();
  await getAt(4_200, 'a');
  asked[0]?.answer({ b: 'second b' });
  expect(await getAt(4_201, 'a')).toBe(undefined);
  expect(await getAt(4_201, 'b')).toBe('second b');
});

it('a renewal does not replace what a request has looked up in the meantime', async () => {
  const { holders, asked, getAt } = known();
  await getAt(5_100, 'a');
  holders.set('a', 'newer a');
  holders.delete('b');
  asked[0]?.answer({ a: 'second a', b: 'second b', c: 'second c' });
  expect(await getAt(5_200, 'a')).toBe('newer a');
  expect(await getAt(5_200, 'b')).toBe(undefined);
  expect(await getAt(5_200, 'c')).toBe('second c');
});

it('a renewal that fails is repeated after a second', async () => {
  const { asked, getAt } = known();
  await getAt(4_200, 'a');
  asked[0]?.fail(new Error('The database is not reachable.'));
  expect(await getAt(5_100, 'a')).toBe(undefined);
  expect(asked).toHaveLength(1);
  await getAt(5_200, 'a');
  expect(asked).toHaveLength(2);
  asked[1]?.answer({ a: 'second a' });
  expect(await getAt(5_300, 'a')).toBe('second a');
});

it('holders that were not used for a minute are not renewed', async () => {
  const { holders, asked, getAt } = known();
  for (let now = 4_200; now < 60_000; now += 4_200) {
    await getAt(now, 'a');
    asked.at(-1)?.answer({ a: 'a', b: 'b', c: 'c' });
  }
  holders.set('d', 'first d');
  await getAt(64_000, 'a');
  expect(asked.at(-1)?.digests.toSorted()).toEqual(['a', 'd']);
});

it('at most 500 holders are looked up together, and then the others', async () => {
  const { holders, asked, getAt } = known();
  for (let number = 0; number < 600; number += 1) holders.set(`${number}`, '');
  await getAt(4_200, 'a');
  asked[0]?.answer({});
  await getAt(4_201, 'a');
  expect(asked.map(({ digests }) => digests.length)).toEqual([500, 103]);
});

it('without a look-up for several, holders expire', async () => {
  let now = 0;
  const holders = new KnownHolders<string>(undefined, () => now);
  holders.set('a', 'first a');
  now = 4_999;
  expect(holders.get('a')).toBe('first a');
  now = 5_000;
  expect(holders.get('a')).toBe(undefined);
});
