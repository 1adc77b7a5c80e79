import { entities } from '@unified/contract';
import type { Scope, WriteRecord } from '@unified/store';
import { expect, it } from 'vitest';
import { narrowedTo } from '../query/token-access.ts';
import { shownWrite } from './visible-writes.ts';

const limits = {
  scope: { entities } as unknown as Scope,
  narrow: narrowedTo([{ entity: 'Vendor', fields: ['notes'] }]),
};

function shownFor(details: readonly object[]) {
  const error = { code: 'VENDOR_REJECTED', message: 'Rating 4 is too low.', details };
  const write = { entity: 'Vendor', error, steps: [{ n: 1, error }], result: null, warnings: [], resolvedRefs: [] };
  const shown = shownWrite(write as unknown as WriteRecord, limits);
  return { error, shown: [shown.error, shown.steps[0]?.error] };
}

it.each([
  [[]],
  [[{ field: 'rating', value: 4 }]],
  [[{ path: 'body/rating', message: '4' }]],
  [[{ field: 'notes' }, { field: 'rating' }]],
  [[{ value: 4 }]],
])('an error of a write is shown without message and details to a token that may lack its fields: %j', (details) => {
  const hidden = { code: 'VENDOR_REJECTED', message: 'The write failed.', details: [] };
  expect(shownFor(details).shown).toEqual([hidden, hidden]);
});

it('an error about fields that the token gives access to is shown as it is', () => {
  const { shown, error } = shownFor([{ field: 'notes' }, { path: 'body/notes/0' }]);
  expect(shown).toEqual([error, error]);
});
