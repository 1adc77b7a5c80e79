import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { Compressor } from './compressor.ts';

const bytes = Buffer.from('x'.repeat(10_000));
const NOT_BYTES = 5 as unknown as Uint8Array;

it('two responses are compressed at a time, in the order in which they were rendered', async () => {
  const compressor = new Compressor();
  const begun: number[] = [];
  const compress = (n: number) => compressor.compress(bytes, 'gzip', () => begun.push(n) > 0);
  const all = [1, 2, 3, 4, 5].map(compress);
  expect(begun).toEqual([1, 2]);
  await all[0];
  await all[1];
  for (const each of await Promise.all(all)) expect(gunzipSync(each ?? '')).toEqual(bytes);
  expect(begun).toEqual([1, 2, 3, 4, 5]);
});

it('one that is no longer wanted, or cannot be compressed, lets the next one begin', async () => {
  const compressor = new Compressor();
  const unwanted = [1, 2, 3].map(() => compressor.compress(bytes, 'gzip', () => false));
  const failing = [1, 2, 3].map(() => compressor.compress(NOT_BYTES, 'gzip', () => true));
  const wanted = compressor.compress(bytes, 'gzip', () => true);
  expect(await Promise.all(unwanted)).toEqual([undefined, undefined, undefined]);
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
  expect(gunzipSync((await wanted) ?? '')).toEqual(bytes);
});
