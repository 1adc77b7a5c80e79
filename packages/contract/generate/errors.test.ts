import { expect, test } from 'vitest';
import { documentOf } from './document-of.ts';
import { findErrors } from './errors.ts';

const row = { status: 404, retryable: false, when: 'It is not there.', do: 'Look elsewhere.' };
const errorsOf = (codes: string[], table: object, planned: string[] = []) =>
  findErrors({
    ...documentOf({}, { ErrorCode: { type: 'string', enum: codes, 'x-errors': table } }),
    'x-planned': planned,
  });

test('the table is read unchanged', () => {
  const read = { ...row, planned: false };
  expect(errorsOf(['A', 'B'], { A: row, B: row })).toEqual({ A: read, B: read });
});

test('a planned code is marked, and is in the table', () => {
  const table = { SERVICE_A: row };
  expect(errorsOf(['SERVICE_A'], table, ['listThings', 'SERVICE_A'])).toEqual({ SERVICE_A: { ...row, planned: true } });
  expect(() => errorsOf(['SERVICE_A'], table, ['SERVICE_B'])).toThrow('x-planned: there is no code SERVICE_B.');
});

test('codes and table have the same entries', () => {
  expect(() => errorsOf(['A', 'B'], { A: row, C: row })).toThrow('enum and x-errors disagree about B, C.');
});

test('a row is complete', () => {
  expect(() => errorsOf(['A'], { A: { status: 404, retryable: false, when: 'x' } })).toThrow('A needs status');
});
