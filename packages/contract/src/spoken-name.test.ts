import { expect, test } from 'vitest';
import { spokenName } from './spoken-name.ts';

test.each([
  ['Vendor', 'vendor'],
  ['PurchaseOrderLine', 'purchase order line'],
  ['Rfq', 'RFQ'],
])('messages write %s as "%s"', (entity, name) => {
  expect(spokenName(entity)).toBe(name);
});
