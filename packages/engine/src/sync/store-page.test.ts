import { expect, test } from 'vitest';
import { withoutOwn } from './store-page.ts';

test.each([
  { title: 'nothing happened', all: [5, 5], own: null, want: [] },
  { title: 'only this sync wrote', all: [5, 9], own: [5, 9], want: [] },
  { title: 'another process wrote before the sync', all: [5, 9], own: [7, 9], want: [[5, 7]] },
  { title: 'another process wrote after the sync', all: [5, 9], own: [5, 8], want: [[8, 9]] },
  {
    title: 'another process wrote before and after the sync',
    all: [1, 9],
    own: [3, 6],
    want: [
      [1, 3],
      [6, 9],
    ],
  },
  { title: 'the changes of this sync are behind', all: [5, 9], own: [2, 5], want: [[5, 9]] },
])('$title', ({ all, own, want }) => {
  const range = ([from, until]: number[]) => ({ from: from ?? 0, until: until ?? 0 });
  expect(withoutOwn(range(all), own && range(own))).toEqual(want.map(range));
});
