import { expect, it } from 'vitest';
import { proposedChanges, valueChanges } from './value-changes.ts';

it('contains what was added, removed and changed, by name', () => {
  expect(valueChanges({ b: 1, a: 'x', kept: true }, { b: 2, c: null, kept: true })).toEqual([
    { name: 'a', before: 'x', after: undefined },
    { name: 'b', before: 1, after: 2 },
    { name: 'c', before: undefined, after: null },
  ]);
});

it('ignores the order of properties, but not that of lists', () => {
  const changes = valueChanges({ a: { x: 1, y: 2 }, b: [1, 2] }, { a: { y: 2, x: 1 }, b: [2, 1] });
  expect(changes.map(({ name }) => name)).toEqual(['b']);
});

it('treats a missing object as one without values', () => {
  expect(valueChanges(null, { a: 1 })).toEqual([{ name: 'a', before: undefined, after: 1 }]);
});

it('a call changes only the values that it contains', () => {
  expect(proposedChanges({ name: 'A', terms: 'Net 30' }, { name: 'B' })).toEqual([
    { name: 'name', before: 'A', after: 'B' },
  ]);
  expect(proposedChanges({ name: 'A' }, null)).toEqual([{ name: 'name', before: 'A', after: undefined }]);
});
