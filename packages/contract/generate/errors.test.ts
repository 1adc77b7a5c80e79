import { expect, test } from 'vitest';
import { documentOf } from './document-of.ts';
import { findErrors } from './errors.ts';

const row = { status: 404, retryable: false, when: 'It is not there.', do: 'Look elsewhere.' };
const errorsOf = (codes: string[], table: object) =>
  findErrors(documentOf({}, { ErrorCode: { type: 'string', enum: codes, 'x-errors': table } }));

test('the table is read unchanged', () => {
  expect(errorsOf(['A', 'B'], { A: row, B: row })).toEqual({ A: row, B: row });
});

test('codes and table have the same entries', () => {
  expect(() => errorsOf(['A', 'B'], { A: row, C: row })).toThrow('enum and x-errors disagree about B, C.');
});

test('a row is complete', () => {
  expect(() => errorsOf(['A'], { A: { status: 404, retryable: false, when: 'x' } })).toThrow('A needs status');
});
