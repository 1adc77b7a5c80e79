import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createExportFolder, filesPlatform } from '../../test/export-folder.ts';
import { textRow, workbookOf } from '../../test/workbook.ts';
import { openFiles } from './open-files.ts';
import { decimalSeparatorOf, sampledType } from './sampled-type.ts';

const exports = createExportFolder();
const open = openFiles(filesPlatform([], { delimiter: ';' }), { folder: '.' });
const { catalog } = open.discover;

beforeAll(() => {
  vi.stubEnv('FILES_FOLDER', exports.root);
  exports.put('orders-2026-10-01.csv', 'id;total\n1;1,5\n');
  exports.put('orders-2026-11-01.csv', 'id;total;paid on\n2;1.000,00;20.11.2026\n');
  exports.put('items.xlsx', workbookOf({ Items: textRow('id', 'name') + textRow('1', 'a') }));
  exports.put('readme.md', 'No table');
  exports.put('rates2.csv', 'code;rate\nEUR;1.5\n');
});
afterAll(() => {
  vi.unstubAllEnvs();
  exports.remove();
});

test('files are tables; files whose names differ only in a number are one', async () => {
  const { items, next } = await catalog.tables({ from: null });
  expect(items.map(({ name }) => name)).toEqual(['items.xlsx', 'orders-*.csv', 'rates2.csv']);
  expect(next).toBeNull();
  const first = await catalog.tables({ from: null, limit: 2 });
  expect(first.items).toHaveLength(2);
  expect((await catalog.tables({ from: first.next, limit: 2 })).items.map(({ name }) => name)).toEqual(['rates2.csv']);
});

test('columns are those of the newest file, with the types that its values suggest', async () => {
  const page = await catalog.columns('orders-*.csv', { from: null });
  expect(page?.items).toMatchObject([
    { name: 'id', type: 'number', scalar: { type: 'number' } },
    { name: 'total', type: 'number', form: { decimal: ',' } },
    { name: 'paid on', type: 'DD.MM.YYYY', scalar: { type: 'date' }, form: { date: 'DD.MM.YYYY' } },
  ]);
  expect(await catalog.columns('none.csv', { from: null })).toBeNull();
});

test.each([
  [['1', '-2.50', '+3'], { type: 'number' }],
  [['1,234.5', '7'], { type: 'number', form: { decimal: '.' } }],
  [['1.234,5', '7,1'], { type: 'number', form: { decimal: ',' } }],
  [['0815', '1'], { type: 'string' }],
  [['12345678901234567890'], { type: 'string' }],
  [['2026-11-20', ''], { type: 'date' }],
  [['2026-11-20', '2026-11-20 09:30'], { type: 'dateTime' }],
  [['20.11.2026', '01.12.2026'], { type: 'date', form: { date: 'DD.MM.YYYY' } }],
  [['20/11/2026'], { type: 'date', form: { date: 'DD/MM/YYYY' } }],
  [['11/20/2026'], { type: 'date', form: { date: 'MM/DD/YYYY' } }],
  [['01/02/2026'], { type: 'string' }],
  [['', null], { type: 'string' }],
  [[true, false], { type: 'boolean' }],
  [[1.5, 2], { type: 'number' }],
  [['a', '1'], { type: 'string' }],
  [['12,000', '7,500'], { type: 'string' }],
])('%j: %j', (cells, type) => {
  expect(sampledType(cells)).toEqual(type);
});

test.each([
  [',', [['12,000'], ['14,0000']]],
  ['.', [['12,000'], ['14.50']]],
  [',', [['1.234'], ['7,5', '']]],
  [undefined, [['12,000', '7'], ['1.234'], [1.5], ['a'], [null]]],
  [undefined, [['1,5'], ['1.5']]],
])('the decimal separator %j is that of the columns %j', (separator, columns) => {
  expect(decimalSeparatorOf(columns)).toBe(separator);
});

test.each([
  [',', ['12,000'], { type: 'number', form: { decimal: ',' } }],
  [',', ['1.234'], { type: 'number', form: { decimal: ',' } }],
  [',', ['12'], { type: 'number', form: { decimal: ',' } }],
  [',', [12.5], { type: 'number' }],
  ['.', ['12,000'], { type: 'number', form: { decimal: '.' } }],
  ['.', ['1.234', '12'], { type: 'number' }],
] as const)('in a file with the decimal separator %j, %j: %j', (separator, cells, type) => {
  expect(sampledType(cells, separator)).toEqual(type);
});
