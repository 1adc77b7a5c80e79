import { type CompiledMapping, noCustomFields, type Row } from '@unified/connectors';
import type { MappedRecord } from '@unified/contract';
import { expect, test } from 'vitest';
import { differingFields, needsRowBefore, sameAsSent } from './same-as-sent.ts';

const mapping: CompiledMapping = {
  entity: 'Order',
  stream: 'orders',
  definition: { entity: 'Order', stream: 'orders', fields: {} },
  fields: ['code', 'amount', 'due', 'notes', 'vendor', 'lines', 'emails', 'tags'],
  writable: ['code', 'amount', 'due', 'notes', 'vendor', 'lines', 'emails', 'tags', 'secret'],
  paths: [],
  written: [],
  allowedValues: {},
  customFields: noCustomFields,
  references: [],
  touches: [],
  writes: new Set(['create', 'update']),
  actions: {},
  parts: { definitions: () => new Map(), reading: () => () => null },
  hash: '1',
  read: () => null,
  write: (values) => ({ values, unsupported: [] }),
};

const record: MappedRecord = {
  _source: 'orders',
  _idValue: '1',
  values: { code: '007', amount: 358, due: '2026-11-20T00:00:00.000Z', notes: null, emails: [], tags: ['x'] },
  references: { vendor: { entity: 'Vendor', by: '_idValue', value: '7' }, lines: [] },
};

const vendor = (id: string) => ({ id: 'u', _idValue: id, code: 'V', _displayValue: 'ACME', entity: 'Vendor' });

test.each<{ title: string; input: Row; want: string }>([
  { title: 'a number and its decimal text', input: { amount: '358.00' }, want: 'same' },
  { title: 'two forms of a timestamp', input: { due: '2026-11-20T01:00:00+01:00' }, want: 'same' },
  { title: 'a timestamp in lower case', input: { due: '2026-11-20t00:00:00z' }, want: 'same' },
  { title: 'null and empty text', input: { notes: '' }, want: 'same' },
  { title: 'the reference that was sent', input: { vendor: vendor('7') }, want: 'same' },
  { title: 'another reference', input: { vendor: vendor('8') }, want: 'different' },
  { title: 'a reference that should be cleared', input: { vendor: null }, want: 'different' },
  { title: 'codes that differ in leading zeros', input: { code: '7' }, want: 'different' },
  { title: 'one equal and one different field', input: { amount: 358, code: 'x' }, want: 'different' },
  { title: 'lines', input: { amount: 358, lines: [{ quantity: 1 }] }, want: 'incomparable' },
  { title: 'an empty list', input: { amount: 358, emails: [] }, want: 'same' },
  { title: 'a list that should be empty', input: { tags: [] }, want: 'different' },
  { title: 'a field that cannot be read back', input: { secret: 'x' }, want: 'incomparable' },
])('$title: $want', ({ input, want }) => {
  expect(sameAsSent(mapping, record, { input, unsupported: [] })).toBe(want);
});

test('fields that were not sent are ignored', () => {
  expect(sameAsSent(mapping, record, { input: { amount: 358, code: 'x' }, unsupported: ['code'] })).toBe('same');
});

test('blank text that is stored as no value differs, although the write took effect; the empty text means no value', () => {
  const input = { notes: '   ', amount: 358 };
  expect(sameAsSent(mapping, record, { input, unsupported: [] })).toBe('same');
  const differing = (each: Row) => differingFields(mapping, record, { input: each, unsupported: [] });
  expect(differing(input)).toMatchObject([{ field: 'notes', sent: '   ', stored: null }]);
  expect(differing({ notes: '' })).toEqual([]);
  expect(differing({ code: ' 007 ' })).toEqual([]);
  const kept = { ...record, values: { ...record.values, notes: '   ' } };
  expect(differingFields(mapping, kept, { input, unsupported: [] })).toEqual([]);
});

test('a request with lines needs the row as it was before', () => {
  expect(needsRowBefore(mapping, { lines: [{ quantity: 1 }] }, [])).toBe(true);
  expect(needsRowBefore(mapping, { vendor: vendor('7'), amount: 1 }, [])).toBe(false);
});
