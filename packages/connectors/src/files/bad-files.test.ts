import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createExportFolder, type ExportFolder, fileStream, filesPlatform } from '../../test/export-folder.ts';
import { textRow, workbookOf } from '../../test/workbook.ts';
import type { RawRow } from '../driver.ts';
import type { Json } from '../json.ts';
import { fileFailure } from './file-failure.ts';
import { type FilesDriver, openFiles } from './open-files.ts';

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

async function read(options: Record<string, Json> = {}, key: readonly string[] = ['id']): Promise<RawRow[]> {
  const stream = fileStream('items.csv', options, { key });
  const rows: RawRow[] = [];
  let from: Json = null;
  do {
    const page: Awaited<ReturnType<FilesDriver['pull']>> = await open.pull({ stream, from, limit: 1000 });
    rows.push(...page.rows);
    from = page.next;
  } while (from !== null);
  return rows;
}

/** Reading a file with this content fails with a message; afterwards, a corrected file is read in the same session. */
async function expectRefusal(
  content: string | Buffer,
  { kind = 'rejected', words, options = {} }: { kind?: string; words: string; options?: Record<string, Json> },
): Promise<void> {
  exports.put('items.csv', content);
  const [shown, remedy] = [expect.stringContaining(words), expect.stringMatching(/file|complete/)];
  const refusal = { kind, words: shown, clientWords: shown, explanation: { problem: shown, remedy } };
  await expect(read(options)).rejects.toMatchObject(refusal);
  exports.put('items.csv', 'id;name\n1;a\n', 1800);
  expect(await read()).toEqual([{ key: '1', row: { id: '1', name: 'a' } }]);
}

const columns = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`).join(';');

describe('a CSV file is refused, in words that say what to do, and read when it is corrected:', () => {
  test('10,000 columns', async () => {
    await expectRefusal(`id;${columns(9_999)}\n`, { words: 'items.csv has 10000 columns, and at most 1000 are read' });
  });

  test.each(['\n', '\r\n'])('a row that is too short after records of several lines, with %j', async (end) => {
    const lines = ['id;name', '1;"a', 'b', 'c"', '', '2;"d', 'e"', '3'];
    await expectRefusal(lines.join(end), { words: 'items.csv has 1 values in line 8, but 2 columns' });
    const open = [...lines.slice(0, -1), '3;"f', 'g'];
    await expectRefusal(open.join(end), { words: 'items.csv ends within a quoted value (line 9)' });
    const quote = [...lines.slice(0, -1), '3;x"f'];
    await expectRefusal(quote.join(end), { words: 'items.csv has a quote in an unexpected place (line 8)' });
  });

  test('10,000 values in a row', async () => {
    const words = 'items.csv has 10000 values in line 3, but 2 columns';
    await expectRefusal(`id;name\n1;a\n2;${columns(9_999)}\n`, { words });
  });

  test('a row of 64 MB', async () => {
    const words = 'items.csv has a record that is longer than 1024 KiB and reaches line 3';
    await expectRefusal(Buffer.concat([Buffer.from('id;name\n1;a\n2;'), Buffer.alloc(64e6, 'x')]), { words });
  });

  test('a row of 16 million delimiters', async () => {
    const words = 'items.csv has a record that is longer than 1024 KiB and reaches line 2';
    await expectRefusal(Buffer.concat([Buffer.from('id;name\n'), Buffer.alloc(16e6, ';')]), { words });
  });

  test('a column with the name of a property of every object', async () => {
    await expectRefusal('id;__proto__\n1;a\n', { words: 'items.csv has a column "__proto__", which cannot be read' });
  });

  test('a quote that is not closed, in a large file', async () => {
    const words = 'as if a quote were not closed';
    await expectRefusal(`id;name\n1;"a\n${'2;b\n'.repeat(1_000_000)}`, { words });
  });

  test('a quote that is not closed, at the end of a file', async () => {
    await expectRefusal('id;name\n1;a\n2;"b\n', { words: 'items.csv ends within a quoted value (line 3)' });
  });

  test('a quote within a value', async () => {
    await expectRefusal('id;name\n1;5" pipe\n', { words: 'items.csv has a quote in an unexpected place (line 2)' });
  });

  test('a last line that is cut off', async () => {
    await expectRefusal('id;name;price\n1;a;2\n2;b', { words: 'items.csv has 2 values in line 3, but 3 columns' });
  });

  test('an encoding other than utf-8', async () => {
    const words = 'items.csv is not encoded in utf-8 (line 3). Set the option encoding, for example to windows-1252';
    await expectRefusal(Buffer.from('id;name\n1;a\n2;Müller\n', 'latin1'), { words });
  });

  test('an encoding other than utf-8 after a megabyte', async () => {
    const content = Buffer.from(`id;name\n${'1;a\n'.repeat(300_000)}2;Müller\n`, 'latin1');
    await expectRefusal(content, { words: 'items.csv is not encoded in utf-8 (line 300002)' });
  });

  test('utf-8 that the options declare as windows-1252', async () => {
    const options = { encoding: 'windows-1252' };
    await expectRefusal('id;name\n1;Müller\n', { words: 'is encoded in utf-8, not in windows-1252', options });
  });

  test('utf-16 without a byte order mark', async () => {
    const words = 'contains NUL characters (line 1). If it is encoded in utf-16, set the option encoding';
    await expectRefusal(Buffer.from('id;name\n1;a\n', 'utf16le'), { words });
  });

  test('a row without a key', async () => {
    const words = 'items.csv has no value of the key ("id") in line 3';
    await expectRefusal('id;name\n1;a\n;Total\n', { words });
  });

  test('no column with the key', async () => {
    const words = 'items.csv has no column "id", which the key of the stream names. Its columns are "number", "name"';
    await expectRefusal('number;name\n1;a\n', { words });
  });

  test('no name of a column', async () => {
    await expectRefusal(';;\n', { kind: 'unavailable', words: 'has no line 1 with the names of its columns' });
  });

  test.each([
    ['HTML', '<!DOCTYPE html><html><body>Sign in</body></html>', 'contains HTML, not CSV'],
    ['XML', '<?xml version="1.0"?><rows/>', 'contains XML, not CSV'],
    ['JSON', '[{"id": 1}]', 'contains JSON, not CSV'],
    ['an XLSX workbook', workbookOf({ Items: textRow('id') }), 'is an XLSX or ZIP file, not CSV'],
    ['an old workbook', Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'is an old Excel workbook (.xls), not CSV'],
    ['a PDF document', '%PDF-1.7\n', 'is a PDF document'],
  ])('%s instead of CSV', async (_, content, words) => {
    await expectRefusal(content, { words: `items.csv ${words}` });
  });

  test('files of a pattern with different columns', async () => {
    const stream = fileStream('items-*.csv');
    exports.put('items-1.csv', 'id;name;price\n1;a;2\n');
    exports.put('items-2.csv', 'id;title;price\n2;b;2\n');
    await expect(open.pull({ stream, from: null, limit: 10 })).rejects.toMatchObject({
      words: expect.stringContaining(
        'items-2.csv has other columns than items-1.csv: without "name", and with "title"',
      ),
    });
  });
});

describe('a source that is not complete deletes nothing, because its pass does not end:', () => {
  test.each([
    ['an empty file', ''],
    ['a file with a byte order mark only', '\u{FEFF}'],
    ['a file with empty lines only', '\n\n  \n'],
  ])('%s', async (_, content) => {
    await expectRefusal(content, { kind: 'unavailable', words: 'items.csv is empty. Its records stay as they are' });
  });

  test('no file', async () => {
    const words = 'items.csv does not exist. Its records stay as they are';
    await expect(read()).rejects.toMatchObject({ kind: 'unavailable', words });
    const stream = fileStream('items-*.csv');
    await expect(open.pull({ stream, from: null, limit: 1 })).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('no folder', async () => {
    exports.put('items.csv', 'id\n1\n');
    mkdirSync(join(exports.root, 'acme'));
    const acme = openFiles(filesPlatform([]), { folder: 'acme' });
    await acme.check();
    rmSync(join(exports.root, 'acme'), { recursive: true });
    await expect(acme.check()).rejects.toMatchObject({
      kind: 'unavailable',
      words: 'The folder of the connection does not exist. Its records stay as they are',
      explanation: { problem: 'There is no such folder in the folder that FILES_FOLDER names.' },
    });
    await acme.close();
  });

  test('a folder instead of a file', async () => {
    mkdirSync(join(exports.path, 'items.csv'));
    await expect(read()).rejects.toMatchObject({ kind: 'forbidden', words: 'items.csv is not a file' });
  });

  test.each([
    ['may not read', 'EACCES', 'forbidden', 'cannot be opened. Give the user of the service the right to read it'],
    ['cannot open, because it is locked', 'EBUSY', 'unavailable', 'is locked by another program'],
    ['cannot read, because the disk fails', 'EIO', 'unavailable', 'cannot be read (EIO)'],
  ])('a file that the service %s', (_, code, kind, problem) => {
    const failure = fileFailure('items.csv', Object.assign(new Error('open /srv/secret/items.csv'), { code }));
    expect(failure).toMatchObject({ kind, words: `items.csv ${problem}` });
    expect(failure.message).not.toContain('secret');
  });
});

test('a file with a header row only has no rows', async () => {
  exports.put('items.csv', 'id;name\n');
  expect(await read()).toEqual([]);
});

test('rows with the same key are all read; the sync reports them', async () => {
  exports.put('items.csv', 'id;name\n1;a\n1;b\n');
  expect((await read()).map(({ key, row }) => [key, row.name])).toEqual([
    ['1', 'a'],
    ['1', 'b'],
  ]);
  expect(await open.read(fileStream('items.csv'), '1')).toMatchObject({ name: 'b' });
});
