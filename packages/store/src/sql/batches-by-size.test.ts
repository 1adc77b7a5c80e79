import { expect, test } from 'vitest';
import { batchesBySize } from './batches-by-size.ts';

const sizes = (items: readonly number[], most: number) => [...batchesBySize(items, (size) => size, most)];

test('batches add up to at most the limit, in order', () => {
  expect(sizes([4, 4, 2, 5, 6, 1], 10)).toEqual([[4, 4, 2], [5], [6, 1]]);
});

test('an item above the limit is a batch of its own', () => {
  expect(sizes([1, 99, 1], 10)).toEqual([[1], [99], [1]]);
  expect(sizes([], 10)).toEqual([]);
});
