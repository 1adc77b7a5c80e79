import { expect, test } from 'vitest';
import { pascal, singular } from './words.ts';

test.each([
  ['vendors', 'vendor'],
  ['taxonomies', 'taxonomy'],
  ['addresses', 'address'],
  ['statuses', 'status'],
  ['leases', 'lease'],
  ['purchase-order-lines', 'purchase-order-line'],
  ['bills-of-material', 'bill-of-material'],
  ['bill-of-material-lines', 'bill-of-material-line'],
  ['business', 'business'],
])('the singular of %s is %s', (plural, expected) => {
  expect(singular(plural)).toBe(expected);
});

test('a path segment becomes a name', () => {
  expect(pascal('purchase-order-lines')).toBe('PurchaseOrderLines');
});
