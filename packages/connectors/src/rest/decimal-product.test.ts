import { expect, test } from 'vitest';
import { decimalProduct } from './decimal-product.ts';

test.each([
  [[3, 0.1], 0.3],
  [[2.5, 19.99], 49.975],
  [[1.1, 1.1], 1.21],
  [[-3, 85], -255],
  [[1e-7, 3], 3e-7],
  [[1e21, 2], 2e21],
  [[0, 4.2], 0],
  [[7], 7],
])('the product of %j is %d, without a rounding error', (factors, product) => {
  expect(decimalProduct(factors)).toBe(product);
});
