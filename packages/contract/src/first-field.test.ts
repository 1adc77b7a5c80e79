import { expect, test } from 'vitest';
import { firstField } from './first-field.ts';

test.each([
  ['price', 'price'],
  ['vendor.code', 'vendor'],
  ['lines[0].price', 'lines'],
  ['lines/0/price', 'lines'],
  ['vendor.code:in', 'vendor'],
  ['code:in', 'code'],
  ['', ''],
])('the path %s begins with the field %s', (path, field) => {
  expect(firstField(path)).toBe(field);
});
