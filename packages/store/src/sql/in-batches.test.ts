import { expect, onTestFinished, test, vi } from 'vitest';
import { inBatches } from './in-batches.ts';

/** Look-ups of lengths, and the batches that wait for a response. */
function lengths() {
  const asked: { readonly keys: readonly string[]; respond(error?: Error): void }[] = [];
  const lookUp = inBatches<number>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<ReadonlyMap<string, number>>();
    const found = new Map(keys.filter((key) => key !== '').map((key) => [key, key.length]));
    asked.push({ keys, respond: (error) => (error ? reject(error) : resolve(found)) });
    return promise;
  });
  return { asked, lookUp };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('look-ups that begin together are one statement, and each gets what it looked up', async () => {
  const { asked, lookUp } = lengths();
  const found = Promise.all(['a', 'bb', '', 'bb'].map(lookUp));
  await nextTurn();
  expect(asked.map(({ keys }) => keys)).toEqual([['a', 'bb', '', 'bb']]);
  asked[0]?.respond();
  expect(await found).toEqual([1, 2, undefined, 2]);
});

test('look-ups that begin while two statements run are the next one', async () => {
  const { asked, lookUp } = lengths();
  const found = [];
  for (const key of ['a', 'bb', 'ccc', 'dddd']) {
    found.push(lookUp(key));
    await nextTurn();
  }
  expect(asked.map(({ keys }) => keys)).toEqual([['a'], ['bb']]);
  asked[1]?.respond();
  await found[1];
  await nextTurn();
  expect(asked[2]?.keys).toEqual(['ccc', 'dddd']);
  for (const each of asked) each.respond();
  expect(await Promise.all(found)).toEqual([1, 2, 3, 4]);
});

test('a statement that fails fails its look-ups, and no others', async () => {
  const { asked, lookUp } = lengths();
  const failed = [expect(lookUp('a')).rejects.toThrow('lost'), expect(lookUp('bb')).rejects.toThrow('lost')];
  await nextTurn();
  asked[0]?.respond(new Error('lost'));
  await Promise.all(failed);
  const later = lookUp('ccc');
  await nextTurn();
  asked[1]?.respond();
  expect(await later).toBe(3);
});

test('statements that do not end, as on a lost connection, do not keep the others', async () => {
  vi.useFakeTimers({ toNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
  onTestFinished(() => void vi.useRealTimers());
  const { asked, lookUp } = lengths();
  const found = [];
  for (const key of ['a', 'bb', 'ccc']) {
    found.push(lookUp(key));
    await nextTurn();
  }
  expect(asked).toHaveLength(2);
  vi.advanceTimersByTime(1_000);
  await nextTurn();
  expect(asked[2]?.keys).toEqual(['ccc']);
  for (const each of asked) each.respond();
  expect(await Promise.all(found)).toEqual([1, 2, 3]);
});
