import { compileMapping, type Platform, ROW_KEY, type Row } from '@unified/connectors';
import { entities, type MappedRecord } from '@unified/contract';
import { expect, test } from 'vitest';
import { modelOfPlatform } from '../model/connection-model.ts';
import { differingLineFields } from './adjusted-lines.ts';

const stream = { name: 'line', key: ['id'], deletes: 'none' as const, order: 0, pageSize: 100, options: {} };
const line = compileMapping(
  { entity: 'PurchaseOrderLine', stream: 'line', fields: { quantity: 'qty', description: 'text' } },
  { file: 'line.yaml', entity: entities.PurchaseOrderLine },
);
const platform: Platform = {
  ...{ id: 'shop', name: 'Shop', description: '', driver: 'sql', settings: {}, options: {}, secrets: [] },
  ...{ streams: [stream], mappings: { PurchaseOrderLine: line }, broken: [] },
};
const model = modelOfPlatform(platform);

/** Compares sent lines with rows of the stream of lines. The record points to these rows in order. */
function differing(sent: readonly Row[], rows: readonly Row[], unsupported: readonly string[] = []) {
  const keys = rows.map((_, index) => String(index));
  const references = keys.map((value) => ({ entity: 'PurchaseOrderLine', by: '_idValue' as const, value }));
  const record: MappedRecord = { _source: 'head', _idValue: '1', values: {}, references: { lines: references } };
  const read = rows.map((row, index) => ({ key: String(index), row }));
  const others = [{ stream, rows: read, deleted: [] }];
  return differingLineFields(model, record, { input: { lines: sent }, unsupported }, others).map(({ field }) => field);
}

test('lines that are separate rows are compared with the rows that were read back', () => {
  const rows = [
    { qty: '1', text: 'bolt' },
    { qty: '2', text: 'nut' },
  ];
  expect(differing([{ quantity: 1 }, { quantity: 2.0004, description: 'nut' }], rows)).toEqual(['lines[1].quantity']);
});

test('lines in a different order are equal', () => {
  expect(differing([{ quantity: 2 }, { quantity: 1 }], [{ qty: '1' }, { qty: '2' }])).toEqual([]);
});

test('fields that were not sent, and lists of a different length, are not compared', () => {
  const sent = [{ quantity: 1, description: 'bolt' }];
  expect(differing(sent, [{ qty: '1' }])).toEqual(['lines[0].description']);
  expect(differing(sent, [{ qty: '1' }], ['lines.description'])).toEqual([]);
  expect(differing(sent, [{ qty: '3' }, { qty: '4' }])).toEqual([]);
});

test('a line that names its row is compared with that row only', () => {
  const rows = [{ qty: '1' }, { qty: '2' }, { qty: '3' }];
  const sent = [{ quantity: 3 }, { [ROW_KEY]: '1', quantity: 1 }, { [ROW_KEY]: '0' }];
  expect(differing(sent, rows)).toEqual(['lines[1].quantity']);
});
