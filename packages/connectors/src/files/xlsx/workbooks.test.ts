import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createExportFolder, type ExportFolder, fileStream, filesPlatform } from '../../../test/export-folder.ts';
import { textRow, workbookOf, zipOf } from '../../../test/workbook.ts';
import type { RawRow } from '../../driver.ts';
import type { Json } from '../../json.ts';
import { type FilesDriver, openFiles } from '../open-files.ts';
import { isDateFormat } from './date-styles.ts';
import { serialDate } from './serial-date.ts';
import { unescaped } from './unescaped.ts';

let exports: ExportFolder;
let open: FilesDriver;

beforeEach(() => {
  exports = createExportFolder();
  vi.stubEnv('FILES_FOLDER', exports.root);
  open = openFiles(filesPlatform([]), { folder: '.' });
});
afterEach(async () => {
  await open.close();
  exports.remove();
});
afterAll(() => vi.unstubAllEnvs());

async function read(options: Record<string, Json> = {}, limit = 1000, name = 'items.xlsx'): Promise<RawRow[]> {
  const stream = fileStream(name, options);
  const rows: RawRow[] = [];
  let from: Json = null;
  do {
    const page: Awaited<ReturnType<FilesDriver['pull']>> = await open.pull({ stream, from, limit });
    rows.push(...page.rows);
    from = page.next;
  } while (from !== null);
  return rows;
}

describe('values of a sheet', () => {
  test('are texts, numbers and booleans; the address of a cell determines its column', async () => {
    const header = textRow('id', 'name', 'price', 'active', 'note');
    const rows = `<row r="3"><c r="A3" t="s"><v>0</v></c><c r="C3"><v>0.30000000000000004</v></c><c r="D3" t="b"><v>1</v></c></row>
      <row r="5"><c r="A5"><f>1+1</f><v>2</v></c><c r="B5" t="str"><v>a_x000D_b</v></c><c r="E5" t="e"><v>#N/A</v></c></row><row r="9"/>`;
    const texts = ['<r><t>00</t></r><r><t>7</t></r><rPh sb="0" eb="1"><t>ruby</t></rPh>'];
    exports.put('items.xlsx', workbookOf({ Items: header + rows }, { texts }));
    expect(await read()).toEqual([
      { key: '007', row: { id: '007', name: null, price: 0.3, active: true, note: null } },
      { key: '2', row: { id: 2, name: 'a\rb', price: null, active: null, note: '#N/A' } },
    ]);
  });

  test('dates are numbers with the format of a date, counted from 1900 or 1904', async () => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="dd\\.mm\\.yyyy"/><numFmt numFmtId="165" formatCode="0.0 &quot;days&quot;"/></numFmts>
      <cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs></styleSheet>`;
    const rows = `${textRow('id', 'day', 'time', 'count')}<row><c><v>1</v></c><c s="1"><v>46346</v></c><c s="2"><v>46346.39583333333</v></c><c s="3"><v>46346</v></c></row>`;
    exports.put('items.xlsx', workbookOf({ Items: rows }, { styles }));
    expect((await read())[0]?.row).toEqual({ id: 1, day: '2026-11-20', time: '2026-11-20T09:30:00', count: 46346 });
    exports.put('items.xlsx', workbookOf({ Items: rows }, { styles, isFrom1904: true }), 1800);
    expect((await read())[0]?.row).toMatchObject({ day: '2030-11-21' });
  });

  test.each([
    [1, '1900-01-01'],
    [59, '1900-02-28'],
    [61, '1900-03-01'],
    [0.5, '12:00:00'],
    [45_000.000_5, '2023-03-15T00:00:43.200'],
    [2_958_465, '9999-12-31'],
    [2_958_466, null],
    [-1, null],
  ])('the number %f is the date %s', (serial, date) => {
    expect(serialDate(serial, false)).toBe(date);
  });

  test.each([
    ['dd.mm.yyyy', true],
    ['[h]:mm', true],
    ['[$-407]d. mmmm', true],
    ['General', false],
    ['#,##0.00 "days"', false],
    ['[Red]0.00E+00', false],
    ['0\\d', false],
  ])('the format %s: a date is %s', (code, isDate) => {
    expect(isDateFormat(code)).toBe(isDate);
  });

  test('control characters are unescaped', () => {
    expect(unescaped('a_x0009_b_xyz_')).toBe('a\tb_xyz_');
  });

  test('a sheet is found by its name; the first one that is not hidden is the default', async () => {
    const sheet = (name: string) => textRow('id') + textRow(name);
    const content = workbookOf({ Old: sheet('o'), New: sheet('n'), Other: sheet('x') }, { hidden: ['Old'] });
    exports.put('items.xlsx', content);
    expect(await read()).toMatchObject([{ key: 'n' }]);
    expect(await read({ sheet: 'Old' })).toMatchObject([{ key: 'o' }]);
    await expect(read({ sheet: 'Nope' })).rejects.toMatchObject({
      words: 'items.xlsx has no sheet "Nope". Its sheets are "Old", "New", "Other"',
    });
  });

  test('pages continue at the next row', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => textRow(String(index), 'x'));
    exports.put('items.xlsx', workbookOf({ Items: textRow('id', 'name') + rows.join('') }));
    expect((await read({}, 333)).map(({ key }) => key)).toEqual(rows.map((_, index) => String(index)));
  });

  test('a workbook that another program wrote is read', async () => {
    vi.stubEnv('FILES_FOLDER', fileURLToPath(new URL('../../../examples/old-erp-files/exports', import.meta.url)));
    const stream = fileStream('items.xlsx', { header: 3 }, { key: ['Number'] });
    const example = openFiles(filesPlatform([], { quietSeconds: 0 }), { folder: '.' });
    expect((await example.pull({ stream, from: null, limit: 1 })).rows).toEqual([
      {
        key: 'A-100',
        row: {
          ...{ Number: 'A-100', Name: 'Hex bolt M8 × 40', Supplier: 1001, Price: 0.3 },
          ...{ Introduced: '2019-03-01', Active: true },
        },
      },
    ]);
    await example.close();
  });
});

describe('a workbook is refused, and read when it is corrected:', () => {
  async function expectRefusal(content: Buffer, words: string): Promise<void> {
    exports.put('items.xlsx', content);
    const refusal = { kind: 'rejected', words: expect.stringContaining(words) };
    await expect(read()).rejects.toMatchObject(refusal);
    exports.put('items.xlsx', workbookOf({ Items: textRow('id') + textRow('1') }), 1800);
    expect(await read()).toMatchObject([{ key: '1' }]);
  }

  test('a ZIP bomb', async () => {
    const rows = `${textRow('id')}<row><c><v>${'1'.repeat(120 * 1024 ** 2)}</v></c></row>`;
    await expectRefusal(
      workbookOf({ Items: rows }),
      'has 120 MiB when it is unpacked, which is more than an export needs',
    );
  });

  test('a ZIP bomb that declares a small size', async () => {
    const content = workbookOf({ Items: textRow('id') });
    const bomb = zipOf({
      'xl/workbook.xml': '<workbook><sheets><sheet name="Items" r:id="r0"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': '<Relationships><Relationship Id="r0" Target="sheet.xml"/></Relationships>',
      'xl/sheet.xml': { content: Buffer.alloc(120 * 1024 ** 2, ' '), declaredBytes: 1000 },
    });
    expect(content.length).toBeLessThan(bomb.length);
    await expectRefusal(bomb, 'is damaged, or protected by a password: xl/sheet.xml cannot be unpacked');
  });

  test('a bomb of rows', async () => {
    const rows = `${textRow('id')}<row r="1048577"><c><v>1</v></c></row>`;
    await expectRefusal(workbookOf({ Items: rows }), 'row 1048577 follows row 1, and a sheet has at most 1048576');
  });

  test('a bomb of texts', async () => {
    const texts = Array.from({ length: 80 }, () => `<t>${'x'.repeat(999_999)}</t>`);
    await expectRefusal(
      workbookOf({ Items: textRow('id') }, { texts }),
      'items.xlsx contains more than 2000000 different texts',
    );
  });

  test('a short text that a row repeats', async () => {
    const cells = `<row>${'<c t="s"><v>1</v></c>'.repeat(20)}</row>`;
    const texts = ['<t>id</t>', `<t>${'x'.repeat(100_000)}</t>`];
    const header = '<row><c t="s"><v>0</v></c></row>';
    await expectRefusal(
      workbookOf({ Items: header + cells }, { texts }),
      'items.xlsx has a row that is longer than 1024 KiB (row 2)',
    );
  });

  test('deeply nested XML, whose tags a parser keeps', async () => {
    await expectRefusal(workbookOf({ Items: '<a>'.repeat(10_000) }), 'is damaged: its XML is nested too deeply');
  });

  test('10,000 columns', async () => {
    const columns = Array.from({ length: 10_000 }, (_, index) => `c${index}`);
    await expectRefusal(
      workbookOf({ Items: textRow(...columns) }),
      'has 1001 columns in row 1, and at most 1000 are read',
    );
  });

  test('a value of 16 MB', async () => {
    const rows = `${textRow('id')}<row><c t="str"><v>${'x'.repeat(16e6)}</v></c></row>`;
    await expectRefusal(workbookOf({ Items: rows }), 'contains a value that is longer than 4 MiB');
  });

  test('a row of 2 MB', async () => {
    const rows = textRow('id', ...Array.from({ length: 100 }, () => 'x'.repeat(20_000)));
    await expectRefusal(workbookOf({ Items: rows }), 'has a row that is longer than 1024 KiB (row 1)');
  });

  test('entities, which other programs expand', async () => {
    const rows = `${textRow('id')}<row><c t="str"><v>&lol;</v></c></row>`;
    await expectRefusal(workbookOf({ Items: rows }), 'contains XML that is not well-formed');
  });

  test('a file that is cut off', async () => {
    const content = workbookOf({ Items: textRow('id') + textRow('1') });
    await expectRefusal(content.subarray(0, content.length - 30), 'is not an XLSX workbook, or it is incomplete');
  });

  test('CSV, and an empty file', async () => {
    await expectRefusal(Buffer.from('id;name\n1;a\n'), 'is not an XLSX workbook');
    await expectRefusal(Buffer.from(''), 'is not an XLSX workbook');
  });

  test('another ZIP file', async () => {
    await expectRefusal(zipOf({ 'readme.txt': 'Hello' }), 'is not an XLSX workbook, because it contains no xl/');
  });

  test('an empty sheet deletes nothing', async () => {
    exports.put('items.xlsx', workbookOf({ Items: '' }));
    const words = 'items.xlsx has no line 1 with the names of its columns. Its records stay as they are';
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable', words });
  });
});
