import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decompressed } from './decompressed.ts';

const text = 'Steel plate '.repeat(200);
const responseOf = (body: Buffer, encoding = 'gzip') => ({
  status: 200,
  headers: { 'content-encoding': encoding, 'content-type': 'application/json' },
  body,
});

test('a compressed body is decompressed, and no longer marked', async () => {
  const response = await decompressed(responseOf(gzipSync(text)), 10_000);
  expect(response.body.toString()).toBe(text);
  expect(response.headers).toEqual({ 'content-type': 'application/json' });
});

test('a body that is only marked as compressed, as by Tryton 8.2, is returned as it is', async () => {
  expect((await decompressed(responseOf(Buffer.from(text)), 10_000)).body.toString()).toBe(text);
});

test('a response without a mark is unchanged', async () => {
  const plain = { status: 200, headers: {}, body: gzipSync(text) };
  expect(await decompressed(plain, 10_000)).toBe(plain);
});

test('a body that becomes too large is refused before it takes memory', async () => {
  await expect(decompressed(responseOf(gzipSync(text)), 1_000)).rejects.toMatchObject({
    reason: 'too-large',
    sent: true,
  });
});

test('a body that ends early is broken', async () => {
  const half = gzipSync(text).subarray(0, 30);
  await expect(decompressed(responseOf(half), 10_000)).rejects.toMatchObject({ reason: 'broken', sent: true });
});
