import { expect, test } from 'vitest';
import { withheldOf } from './withheld-deletes.ts';

test.each([
  { deleteLimit: undefined, missing: 10, seen: 11, isWithheld: false },
  { deleteLimit: undefined, missing: 11, seen: 11, isWithheld: true },
  { deleteLimit: undefined, missing: 19, seen: 0, isWithheld: false },
  { deleteLimit: 10, missing: 3, seen: 27, isWithheld: true },
  { deleteLimit: 10, missing: 2, seen: 28, isWithheld: false },
  { deleteLimit: 100, missing: 99, seen: 1, isWithheld: false },
  { deleteLimit: 100, missing: 100, seen: 0, isWithheld: true },
  { deleteLimit: null, missing: 100, seen: 0, isWithheld: false },
  { deleteLimit: 1, missing: 0, seen: 100, isWithheld: false },
])('of $missing missing and $seen other rows, with the limit $deleteLimit: withheld is $isWithheld', (given) => {
  const { deleteLimit, missing, seen, isWithheld } = given;
  const found = withheldOf(deleteLimit === undefined ? {} : { deleteLimit }, missing, missing + seen);
  expect(found).toEqual(isWithheld ? { missing, rows: missing + seen } : null);
});
