import { expect, it } from 'vitest';
import { sharedBuffers } from './shared-buffers.ts';

it.each([
  { memory: 2 ** 28, buffers: '64MB' },
  { memory: 2 ** 32, buffers: '512MB' },
  { memory: 2 ** 33 + 5, buffers: '1024MB' },
  { memory: 2 ** 40, buffers: '2048MB' },
])('of $memory bytes of memory, $buffers are used for buffers', ({ memory, buffers }) => {
  expect(sharedBuffers(memory)).toBe(buffers);
});

it('by default, the memory is that of this machine', () => {
  expect(sharedBuffers()).toMatch(/^\d{2,4}MB$/);
});
