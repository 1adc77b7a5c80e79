import { rmSync } from 'node:fs';
import { join } from 'node:path';
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

test('titles before the names of the columns are skipped, in CSV files and sheets, and the stream needs `header`', async () => {
  const titles = 'Artikelliste, Stand 24.11.2026\n\nMandant;01;;\nNr.;Bezeichnung;Art.-Gruppe;Preis\n';
  exports.put('titled.csv', `${titles}1;Schraube;A;1,50\n2;Mutter;A;0,20\n`);
  exports.put('narrow.csv', 'Stand;24.11.2026\nNr.;Name\n1;Mutter\n');
  exports.put('years.csv', 'Konto;2025;2026\n1200;5;6\n');
  const rows = [textRow('Artikelliste'), textRow(), textRow('Nr.', 'Name', 'Preis'), textRow('1', 'Mutter', '0,20')];
  exports.put('titled.xlsx', workbookOf({ Items: rows.join('') }));
  for (const [name, header, columns] of [
    ['titled.csv', 4, ['Nr.', 'Bezeichnung', 'Art.-Gruppe', 'Preis']],
    ['titled.xlsx', 3, ['Nr.', 'Name', 'Preis']],
    ['rates2.csv', undefined, ['code', 'rate']],
    ['narrow.csv', 2, ['Nr.', 'Name']],
    ['years.csv', undefined, ['Konto', '2025', '2026']],
  ] as const) {
    expect(await catalog.options?.(name)).toEqual(header === undefined ? {} : { header });
    expect((await catalog.columns(name, { from: null }))?.items.map((column) => column.name)).toEqual(columns);
  }
  for (const name of ['titled.csv', 'titled.xlsx', 'narrow.csv', 'years.csv']) rmSync(join(exports.root, name));
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
  [['00.00.0000', '20.11.2026'], { type: 'date', form: { date: 'DD.MM.YYYY' } }],
  [['0000-00-00', '2026-11-20'], { type: 'date' }],
  [['00.00.0000'], { type: 'string' }],
  [['12,50-', '1.234,00'], { type: 'number', form: { decimal: ',' } }],
  [['12-', '7'], { type: 'number', form: { decimal: '.' } }],
  [['-', '7'], { type: 'string' }],
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
