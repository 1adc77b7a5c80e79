import { expect, it } from 'vitest';
import { searchTools } from './search-tools.ts';
import { tools } from './tools.ts';

it.each([
  ['purchase orders of a vendor', 'list_purchase_orders'],
  ['vendors', 'list_vendors'],
  ['unpaid invoices', 'list_invoices'],
  ['new supplier', 'create_vendor'],
  ['approve purchase order', 'approve_purchase_order'],
])('the words "%s" find %s first', (words, name) => {
  expect(searchTools(tools, words)[0]?.name).toBe(name);
});

it('words that no tool has find none', () => {
  expect(searchTools(tools, 'weather')).toEqual([]);
});
