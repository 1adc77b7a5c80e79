import { expect, test } from 'vitest';
import { measureSize } from '../bench/size.ts';

test('the verification of webhooks has at most 1 kB, minified and compressed', async () => {
  expect((await measureSize('../src/webhooks.ts')).gzip).toBeLessThanOrEqual(1_000);
});

test('the loader of embedded pages has at most 2 kB, minified and compressed', async () => {
  expect((await measureSize('../src/authorization-dialog.ts')).gzip).toBeLessThanOrEqual(2_000);
});
