import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { likelyHeader } from './likely-header.ts';
import { openLocalFolder } from './local-folder.ts';
import { openedRemote } from './remote-file.ts';

async function* endless(): AsyncGenerator<Buffer> {
  for (;;) yield Buffer.alloc(65_536);
}

test.each([Number.NaN, 2 ** 40])('a workbook with the stated size %s is not copied without end', async (sizeBytes) => {
  const file = { folder: openLocalFolder('.'), name: 'items.xlsx', path: 'items.xlsx', sizeBytes, modifiedMs: 0 };
  const opened = openedRemote(file, endless(), 1024 ** 2);
  const words = 'items.xlsx is larger than 1 MiB. Export it as CSV, or as several files';
  await expect(opened.handle()).rejects.toMatchObject({ kind: 'rejected', words });
  await opened.close();
});

test('the copy of a workbook has no name while it is read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'temporary-'));
  vi.stubEnv('TMPDIR', folder);
  const file = { folder: openLocalFolder('.'), name: 'items.xlsx', path: 'items.xlsx', sizeBytes: 7, modifiedMs: 0 };
  const opened = openedRemote(file, pieces('con', 'tent'));
  const handle = await opened.handle();
  expect(readdirSync(folder)).toEqual([]);
  expect((await handle.read(Buffer.alloc(7), 0, 7, 0)).buffer.toString()).toBe('content');
  await opened.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test('the line of the names is found even if a server sends the lines before it in pieces of their own', async () => {
  const texts = ['Stock of Acme\n', '\n', 'id;na', 'me\n1;Bolt\n', '2;Nut\n'];
  const sizeBytes = texts.join('').length;
  const file = { folder: openLocalFolder('.'), name: 'items.csv', path: 'items.csv', sizeBytes, modifiedMs: 0 };
  const folder = { ...file.folder, open: async () => openedRemote(file, pieces(...texts)) };
  expect(await likelyHeader({ ...file, folder }, { file: 'items.csv', key: [], header: 1, isNewestOnly: false })).toBe(
    3,
  );
});

async function* pieces(...texts: readonly string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(text);
}
