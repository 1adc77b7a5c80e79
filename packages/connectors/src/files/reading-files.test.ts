import { appendFileSync, mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createExportFolder, type ExportFolder, fileStream, filesPlatform } from '../../test/export-folder.ts';
import type { PulledPage, RawRow } from '../driver.ts';
import type { Json } from '../json.ts';
import { loadPlatform } from '../load-platform.ts';
import type { Stream } from '../platform.ts';
import { type FilesDriver, openFiles } from './open-files.ts';
import { filesOptions } from './options.ts';

let exports: ExportFolder;
const opened: FilesDriver[] = [];

beforeEach(() => {
  exports = createExportFolder();
  vi.stubEnv('FILES_FOLDER', exports.root);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((driver) => driver.close()));
  exports.remove();
});
afterAll(() => vi.unstubAllEnvs());

function driver(streams: readonly Stream[] = [], options: Record<string, Json> = {}, folder = '.'): FilesDriver {
  const open = openFiles(filesPlatform(streams, options), { folder });
  opened.push(open);
  return open;
}

async function pass(open: FilesDriver, stream: Stream, limit = 100, begin: Json = null): Promise<RawRow[]> {
  const rows: RawRow[] = [];
  let from: Json = begin;
  do {
    const page: PulledPage = await open.pull({ stream, from, limit });
    rows.push(...page.rows);
    from = page.next;
  } while (from !== null);
  return rows;
}

const keysOf = (rows: readonly RawRow[]) => rows.map(({ key }) => key);

/** A file with this many rows. */
const numbered = (count: number, name = 'Row') =>
  `id;name\n${Array.from({ length: count }, (_, index) => `${index + 1};${name} ${index + 1}\n`).join('')}`;

const items = fileStream('items.csv');

describe('values', () => {
  test('are texts as in the file; empty ones are null, and names of columns are trimmed', async () => {
    exports.put('items.csv', 'id, name ,price,note\n007,"Nut, ""M8""","1,50",\n8,"two\nlines", x ,"  "\n');
    expect(await pass(driver(), items)).toEqual([
      { key: '007', row: { id: '007', name: 'Nut, "M8"', price: '1,50', note: null } },
      { key: '8', row: { id: '8', name: 'two\nlines', price: ' x ', note: '  ' } },
    ]);
  });

  test.each([
    ['semicolons', 'id;name\n1;a\n'],
    ['tabs', 'id\tname\n1\ta\n'],
    ['bars', 'id|name\n1|a\n'],
    ['commas, with a semicolon in a quoted name', '"id","name"\n1,a\n'],
    ['line ends of Windows', 'id,name\r\n1,a\r\n'],
    ['mixed line ends', 'id,name\n1,a\r\n'],
    ['line ends of old Macs', 'id,name\r1,a\r'],
    ['no line end after the last line', 'id,name\n1,a'],
    ['empty lines, and lines with delimiters only', '\n\nid,name\n\n1,a\n,\n\n'],
    ['delimiters at the end of lines', 'id,name,\n1,a,\n'],
  ])('%s', async (_, content) => {
    exports.put('items.csv', content);
    expect(await pass(driver(), items)).toEqual([{ key: '1', row: { id: '1', name: 'a' } }]);
  });

  const text = 'id;name\n1;Müller & Söhne\n';
  test.each([
    ['utf-8', Buffer.from(text), {}],
    ['utf-8 with a byte order mark', Buffer.from(`\u{FEFF}${text}`), { encoding: 'windows-1252' }],
    ['utf-16 with a byte order mark', Buffer.from(`\u{FEFF}${text}`, 'utf16le'), {}],
    ['big-endian utf-16', Buffer.from(`\u{FEFF}${text}`, 'utf16le').swap16(), {}],
    ['utf-16 without one', Buffer.from(text, 'utf16le'), { encoding: 'utf-16' }],
    ['windows-1252', Buffer.from(text, 'latin1'), { encoding: 'windows-1252' }],
    ['iso-8859-15', Buffer.from(text, 'latin1'), { encoding: 'iso-8859-15' }],
  ])('%s is decoded', async (_, content, options) => {
    exports.put('items.csv', content);
    const [row] = await pass(driver(), fileStream('items.csv', options));
    expect(row?.row.name).toBe('Müller & Söhne');
  });

  test('a character that two reads of the file divide is decoded', async () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `${index};ä${'ü'.repeat(index % 7)}\n`);
    exports.put('items.csv', `id;name\n${rows.join('')}`);
    const read = await pass(driver(), items, 5_000);
    expect(read.map(({ row }) => `${row.id};${row.name}\n`)).toEqual(rows);
  });

  test('options of the text: delimiter, quote, escape, header row and names of columns', async () => {
    exports.put('items.csv', "List of items\nas of today\nid^name\n1^'a^b'\n2^'it\\'s'\n");
    const stream = fileStream('items.csv', { delimiter: '^', quote: "'", escape: '\\', header: 3 });
    expect((await pass(driver(), stream)).map(({ row }) => row.name)).toEqual(['a^b', "it's"]);
    exports.put('pipes.csv', '1;5" pipe\n');
    const unnamed = fileStream('pipes.csv', { columns: ['id', 'name'], quote: '' });
    expect(await pass(driver(), unnamed)).toEqual([{ key: '1', row: { id: '1', name: '5" pipe' } }]);
  });

  test('columns with the same name are numbered, and columns without a name are not read', async () => {
    exports.put('items.csv', 'id,name,,name\n1,a,b,c\n');
    expect(await pass(driver(), items)).toEqual([{ key: '1', row: { id: '1', name: 'a', 'name (2)': 'c' } }]);
    expect(await driver().discover.columns(items)).toMatchObject([
      { name: 'id' },
      { name: 'name' },
      { name: 'name (2)' },
    ]);
  });
});

describe('passes', () => {
  test('pages of any size, in one session or in two, have the same rows', async () => {
    exports.put('items.csv', numbered(25));
    const whole = await pass(driver(), items);
    expect(keysOf(whole)).toEqual(Array.from({ length: 25 }, (_, index) => String(index + 1)));
    const sessions = [driver(), driver()];
    for (const limit of [1, 7, 24, 25, 26]) {
      const rows: RawRow[] = [];
      let from: Json = null;
      for (let page = 0; page === 0 || from !== null; page += 1) {
        const read: PulledPage | undefined = await sessions[page % 2]?.pull({ stream: items, from, limit });
        rows.push(...(read?.rows ?? []));
        from = read?.next ?? null;
      }
      expect(rows).toEqual(whole);
    }
  });

  test('a row is read by its key, and a key that no row has is not found', async () => {
    exports.put('items.csv', 'id;part;name\nA/1;x;first\nA/1;y;second\n');
    const stream = fileStream('items.csv', {}, { key: ['id', 'part'] });
    expect(await driver().read(stream, 'A%2F1/y')).toMatchObject({ name: 'second' });
    expect(await driver().read(stream, 'A%2F1/z')).toBeNull();
  });

  test('the files of a pattern are read in the order of their names, in which numbers count as numbers', async () => {
    exports.put('orders-10.csv', 'id;name\n10;ten\n');
    exports.put('orders-9.csv', 'id;name\n9;nine\n');
    exports.put('orders-9.csv.part', 'id;name\n99;incomplete\n');
    exports.put('.orders-1.csv', 'id;name\n98;hidden\n');
    exports.put('~$orders-1.csv', 'locked');
    expect(keysOf(await pass(driver(), fileStream('orders-*.csv')))).toEqual(['9', '10']);
    expect(keysOf(await pass(driver(), fileStream('*orders-*.csv')))).toEqual(['9', '10']);
    expect(keysOf(await pass(driver(), fileStream('orders', { file: 'orders-??.csv' })))).toEqual(['10']);
    expect(keysOf(await pass(driver(), fileStream('orders-*.csv', { files: 'newest' })))).toEqual(['10']);
  });

  test('the version changes with a file, with the files of a pattern, and with the options', async () => {
    const stream = fileStream('items-*.csv');
    exports.put('items-1.csv', numbered(2));
    const open = driver();
    const versions = [await open.version(stream), await open.version(stream)];
    exports.put('items-1.csv', numbered(2), 60);
    versions.push(await open.version(stream));
    exports.put('items-2.csv', numbered(1));
    versions.push(await open.version(stream), await open.version(fileStream('items-*.csv', { delimiter: ',' })));
    expect(versions[1]).toBe(versions[0]);
    expect(new Set(versions).size).toBe(4);
  });

  test('a file that is replaced in the middle of a pass is read again from its first row', async () => {
    exports.put('items.csv', numbered(10));
    const open = driver();
    const first = await open.pull({ stream: items, from: null, limit: 4 });
    renameSync(exports.put('next', numbered(3, 'Other')), join(exports.path, 'items.csv'));
    const rest = await pass(open, items, 4, first.next);
    expect(rest.map(({ row }) => row.name)).toEqual(['Other 1', 'Other 2', 'Other 3']);
  });

  test('a file that grows while it is read is not read to an end', async () => {
    const path = exports.put('items.csv', numbered(10));
    const open = driver();
    const first = await open.pull({ stream: items, from: null, limit: 4 });
    appendFileSync(path, '11;Row 11\n');
    const growing = { kind: 'unavailable', words: expect.stringContaining('may be incomplete'), retryAfter: 30 };
    await expect(open.pull({ stream: items, from: first.next, limit: 100 })).rejects.toMatchObject(growing);
  });

  test('a file that has just been written is read when it has not changed for a while', async () => {
    exports.put('items.csv', numbered(1), 10);
    await expect(driver([], { quietSeconds: 25 }).pull({ stream: items, from: null, limit: 1 })).rejects.toMatchObject({
      kind: 'unavailable',
      retryAfter: 15,
    });
    expect(await pass(driver([], { quietSeconds: 5 }), items)).toHaveLength(1);
    // The clock of the machine that wrote it is fast.
    exports.put('items.csv', numbered(1), -3600);
    expect(await pass(driver([], { quietSeconds: 0 }), items)).toHaveLength(1);
  });
});

describe('settings', () => {
  const check = (folder: string, root = exports.root) => {
    vi.stubEnv('FILES_FOLDER', root);
    return driver([], {}, folder).check();
  };

  test('only folders in the folder of the operator are read, and no links that lead out of it', async () => {
    const outside = createExportFolder();
    outside.put('secret.csv', numbered(1));
    mkdirSync(join(exports.root, 'acme'));
    symlinkSync(outside.root, join(exports.root, 'away'));
    symlinkSync(join(outside.root, 'secret.csv'), join(exports.root, 'items.csv'));
    const explanation = { remedy: expect.stringMatching(/FILES_FOLDER.*`npm run connect`/) };
    const refused = { kind: 'unauthorized', words: expect.stringContaining('FILES_FOLDER'), explanation };
    await expect(check('acme')).resolves.toBeUndefined();
    await expect(check('.')).resolves.toBeUndefined();
    for (const folder of ['..', '../', 'acme/../..', outside.root, '/etc', 'away', `${exports.root}-2`])
      await expect(check(folder)).rejects.toMatchObject(refused);
    await expect(check('.', '')).rejects.toMatchObject(refused);
    vi.stubEnv('FILES_FOLDER', exports.root);
    await expect(pass(driver(), items)).rejects.toMatchObject({
      kind: 'forbidden',
      words: 'items.csv is a link that leads out of the folder that FILES_FOLDER names',
    });
    outside.remove();
  });

  test('path traversal in the settings of a connection is refused before anything is read', () => {
    const { validate } = filesOptions.settings(filesPlatform([]));
    const isValid = (folder: string) => validate({ folder });
    expect(['.', 'acme', 'acme/ex ports', 'a..b', './x'].filter((folder) => !isValid(folder))).toEqual([]);
    const bad = ['', '..', '../x', 'x/..', 'x/../y', '/x', 'x\\..\\y', 'C:\\x', 'a\0b'];
    expect(bad.filter(isValid)).toEqual([]);
  });
});

test('a platform of files has no cursor, no writes, and no deletes that files would report', () => {
  const folder = createExportFolder();
  const load = (stream: string) => {
    folder.put(
      'platform.yaml',
      `{ id: exports, name: Exports, driver: files, identifiedBy: [folder], streams: { items: ${stream} },
         settings: { type: object, required: [folder], properties: { folder: { type: string } } } }`,
    );
    return loadPlatform(folder.path);
  };
  expect(load('{ options: { file: items-*.csv, files: newest } }').streams).toHaveLength(1);
  expect(() => load('{ cursor: changed }')).toThrow(/"files" does not read changes/);
  expect(() => load('{ deletes: native }')).toThrow(/"files" does not report deletes/);
  expect(() => load('{ options: { file: ../items.csv } }')).toThrow(/streams.items.options.file/);
  expect(() => load('{ options: { encoding: ebcdic } }')).toThrow(/streams.items.options.encoding/);
  folder.remove();
});

test('the example reads the exports of an old system', async () => {
  const folder = fileURLToPath(new URL('../../examples/old-erp-files', import.meta.url));
  vi.stubEnv('FILES_FOLDER', folder);
  const platform = loadPlatform(folder);
  expect(platform.broken).toEqual([]);
  const open = openFiles({ ...platform, options: { ...platform.options, quietSeconds: 0 } }, { folder: 'exports' });
  opened.push(open);
  const [suppliers, orders] = platform.streams;
  const read = async (stream: Stream | undefined) => (stream ? pass(open, stream, 2) : []);
  expect((await read(suppliers))[1]?.row).toMatchObject({ Number: '1002', Name: 'Stahlhandel "Nord"; Inh. J. Ækjær' });
  expect(keysOf(await read(orders))).toEqual(['B-2001', 'B-2002', 'B-2003', 'B-2004', 'B-2005']);
});
