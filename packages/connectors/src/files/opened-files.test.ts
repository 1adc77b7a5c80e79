import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileStream } from '../../test/export-folder.ts';
import { headerRow } from './header-row.ts';
import { openFile } from './local-files.ts';
import { openLocalFolder } from './local-folder.ts';
import { fileSource } from './options.ts';
import { matches, sourceFiles } from './source-files.ts';
import { isDateFormat } from './xlsx/date-styles.ts';

const source = fileSource(fileStream('items.csv'), {});
let outside: string;
let root: string;

beforeEach(() => {
  outside = mkdtempSync(join(tmpdir(), 'outside-'));
  root = mkdtempSync(join(tmpdir(), 'root-'));
  mkdirSync(join(root, 'exports'));
  writeFileSync(join(outside, 'items.csv'), 'id\nsecret\n');
  writeFileSync(join(root, 'exports', 'items.csv'), 'id\n1\n');
});
afterEach(() => {
  for (const folder of [outside, root]) rmSync(folder, { recursive: true });
});

async function found() {
  const [file] = await sourceFiles(
    openLocalFolder('exports', () => root),
    source,
  );
  return file ?? expect.fail('there is no file');
}

test('a file is not read from a folder that was put in place of its own', async () => {
  const file = await found();
  renameSync(join(root, 'exports'), join(root, 'moved'));
  symlinkSync(outside, join(root, 'exports'));
  await expect(openFile(file)).rejects.toMatchObject({
    kind: 'unavailable',
    words: expect.stringContaining('replaced'),
  });
});

test('a pipe that was put in place of a file blocks nothing', async () => {
  const file = await found();
  rmSync(file.path);
  execFileSync('mkfifo', [file.path]);
  await expect(openFile(file)).rejects.toMatchObject({
    kind: 'unavailable',
    words: expect.stringContaining('replaced'),
  });
});

test.each([
  ['orders-2026.csv', 'orders-*.csv', true],
  ['orders-2026.csv.bak', 'orders-*.csv', false],
  ['a.csv', '?.csv', true],
  ['ab.csv', '?.csv', false],
  ['anything', '*', true],
  ['a+b(1).csv', 'a+b(?).csv', true],
  ['axb1.csv', 'a.b1.csv', false],
  ['abcbd', 'a*b?', true],
  ['', '**', true],
])('%s and the pattern %s: %s', (name, pattern, expected) => {
  expect(matches(name, pattern)).toBe(expected);
});

test('a pattern with a hundred stars ends', () => {
  expect(matches('a'.repeat(250), `${'*a'.repeat(100)}b`)).toBe(false);
});

test('a number format with thousands of brackets ends', () => {
  expect(isDateFormat('['.repeat(1_000_000))).toBe(false);
});

test('every column has a name of its own', () => {
  const record = { cells: ['A', 'A (2)', 'A', 'A'], line: 1 };
  expect(headerRow('items.csv', record)).toEqual(['A', 'A (2)', 'A (3)', 'A (4)']);
});
