import { SystemError } from '@unified/connectors';
import { expect, test } from 'vitest';
import { failureOf } from './system-failure.ts';

const paths = [
  { field: '_displayValue', path: 'LIEFNR' },
  { field: 'code', path: 'LIEFNR' },
  { field: 'where', path: 'KIND' },
  { field: 'lines.quantity', path: 'POS.QTY' },
];
const written = [
  { field: 'code', path: 'LIEFNR' },
  { field: 'taxNumber', path: 'STEUERNR_NEU' },
  { field: 'onCreate', path: 'MANDANT' },
];
const duplicate = (...columns: string[]) => new SystemError('duplicate', 'It is there already', { columns });

test('a refusal names the field of the API that a column belongs to', () => {
  expect(failureOf(duplicate('LIEFNR', 'KIND'), { paths, written })).toEqual({
    code: 'SERVICE_DUPLICATE',
    message: 'It is there already: code',
    details: [{ field: 'code' }],
  });
});

test('a column that a field is only written to is named by its field, once', () => {
  expect(failureOf(duplicate('LIEFNR', 'STEUERNR_NEU', 'MANDANT'), { paths, written }).details).toEqual([
    { field: 'code' },
    { field: 'taxNumber' },
  ]);
});

test('a column that no field belongs to is not named', () => {
  const failure = { code: 'SERVICE_DUPLICATE', message: 'It is there already', details: [] };
  expect(failureOf(duplicate('SECRET_COLUMN'), { paths, written })).toEqual(failure);
  expect(failureOf(duplicate('LIEFNR'))).toEqual(failure);
});

test('a custom field of the connection is named, and the rows of a list that have changed', () => {
  const failure = new SystemError('outdated', 'Changed', {
    columns: ['color', 'secret'],
    changedRows: { added: ['7/2'], removed: [] },
  });
  expect(failureOf(failure, { paths, written, customFields: ['color', 'size'] })).toEqual({
    code: 'SERVICE_CONFLICT',
    message: 'Changed: customFields.color',
    details: [{ field: 'customFields.color', added: ['7/2'], removed: [] }],
  });
});

test('clients get the message that is meant for them', () => {
  const failure = new SystemError('forbidden', 'permission denied for table person', { clientWords: 'Not allowed' });
  expect(failureOf(failure)).toEqual({ code: 'SERVICE_SYSTEM_FORBIDDEN', message: 'Not allowed', details: [] });
});
