import { expect, test } from 'vitest';
import { actNames } from './act-names.ts';

test.each([
  ['a text', 'approve', ['approve']],
  ['a lookup', { lookup: { from: 'target', table: { bill: 'invoice', ship: 'shipment' } } }, ['bill', 'ship']],
  ['a choice', { coalesce: [{ const: 'x' }, { concat: { parts: [{ const: 'y' }] } }] }, ['x', 'y']],
  ['a path, whose values are unknown', { path: 'action' }, []],
])('the names of %s', (_, act, names) => {
  expect(actNames(act)).toEqual(names);
});
