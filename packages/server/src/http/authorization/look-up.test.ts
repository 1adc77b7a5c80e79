import { ServiceError } from '@unified/contract';
import { expect, it } from 'vitest';
import { createLookUp } from './look-up.ts';

it('what is asked for by many at once is looked up once', async () => {
  const asked: string[] = [];
  const found = Promise.withResolvers<string>();
  const lookUp = createLookUp((key) => {
    asked.push(key);
    return found.promise;
  });
  const all = Promise.all([lookUp('a', 'key a'), lookUp('a', 'key a'), lookUp('b', 'key b')]);
  found.resolve('found');
  expect(await all).toEqual(['found', 'found', 'found']);
  expect(asked).toEqual(['key a', 'key b']);
  expect(await lookUp('a', 'key a')).toBe('found');
  expect(asked).toHaveLength(3);
});

it('a database that is not reachable is not asked again at once', async () => {
  let asked = 0;
  const lookUp = createLookUp(async () => {
    asked += 1;
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The database is not reachable.', { retryAfter: 1 });
  });
  for (const name of ['a', 'b', 'c'])
    await expect(lookUp(name, name)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(asked).toBe(1);
});

it('no more than a thousand wait for a database that hangs', async () => {
  const lookUp = createLookUp(() => new Promise<string>(() => {}));
  for (let n = 0; n < 1_000; n += 1) void lookUp(`${n}`, 'key');
  await expect(lookUp('one more', 'key')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfter: 1 });
});
