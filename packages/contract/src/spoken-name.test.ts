import { expect, test } from 'vitest';
import { spokenName, withArticle } from './spoken-name.ts';

test.each([
  ['Vendor', 'vendor'],
  ['PurchaseOrderLine', 'purchase order line'],
  ['Rfq', 'RFQ'],
])('messages write %s as "%s"', (entity, name) => {
  expect(spokenName(entity)).toBe(name);
});

test.each([
  ['Employee', 'an Employee'],
  ['invoice line', 'an invoice line'],
  ['RFQ', 'an RFQ'],
  ['Unit', 'a Unit'],
  ['User', 'a User'],
  ['Vendor', 'a Vendor'],
])('messages write %s with its article as "%s"', (name, expected) => {
  expect(withArticle(name)).toBe(expected);
});
