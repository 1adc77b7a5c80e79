import { SystemError } from '@unified/connectors';
import { expect, test } from 'vitest';
import { failureOf } from './system-failure.ts';

const paths = [
  { field: '_displayValue', path: 'LIEFNR' },
  { field: 'code', path: 'LIEFNR' },
  { field: 'where', path: 'KIND' },
  { field: 'lines.quantity', path: 'POS.QTY' },
];
const duplicate = (...columns: string[]) => new SystemError('duplicate', 'It is there already', { columns });

test('a refusal names the field of the API that a column belongs to', () => {
  expect(failureOf(duplicate('LIEFNR', 'KIND'), { paths })).toEqual({
    code: 'SERVICE_DUPLICATE',
    message: 'It is there already: code',
    details: [{ field: 'code' }],
  });
});

test('a column that no field belongs to is not named', () => {
  const failure = { code: 'SERVICE_DUPLICATE', message: 'It is there already', details: [] };
  expect(failureOf(duplicate('SECRET_COLUMN'), { paths })).toEqual(failure);
  expect(failureOf(duplicate('LIEFNR'))).toEqual(failure);
});
