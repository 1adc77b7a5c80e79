import { cpSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fileStream, filesPlatform } from '../../test/export-folder.ts';
import {
  bucketSettingsOf,
  type RunningBucket,
  type RunningSftp,
  sftpSettingsOf,
  startBucket,
  startSftp,
} from '../../test/remote-folder.ts';
import type { PulledPage, RawRow } from '../driver.ts';
import type { Json } from '../json.ts';
import { loadPlatform } from '../load-platform.ts';
import type { Platform, Stream } from '../platform.ts';
import { type FilesDriver, openFiles } from './open-files.ts';

const example = fileURLToPath(new URL('../../examples/old-erp-files', import.meta.url));
type Settings = Readonly<Record<string, Json>>;

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

async function using<T>(platform: Platform, settings: Settings, work: (open: FilesDriver) => Promise<T>): Promise<T> {
  const open = openFiles(platform, settings);
  try {
    return await work(open);
  } finally {
    await open.close();
  }
}

/** Writes a file that was last changed an hour ago, or later by some seconds. */
function put(folder: string, name: string, content: string, later = 0): void {
  const changed = Date.now() / 1000 - 3600 + later;
  writeFileSync(join(folder, name), content);
  utimesSync(join(folder, name), changed, changed);
}

let bucket: RunningBucket;
let sftp: RunningSftp;

beforeAll(async () => {
  [bucket, sftp] = [await startBucket(), await startSftp()];
  vi.stubEnv('FILES_FOLDER', example);
  for (const path of [bucket.path, sftp.path]) {
    cpSync(join(example, 'exports'), path, { recursive: true });
    const changed = Date.now() / 1000 - 3600;
    for (const name of ['suppliers.csv', 'items.xlsx', 'orders-2026-10.csv', 'orders-2026-11.csv'])
      utimesSync(join(path, name), changed, changed);
    mkdirSync(join(path, 'below'));
  }
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([bucket?.stop(), sftp?.stop()]);
});

describe.each([
  { name: 'a bucket', path: () => bucket.path, settings: (): Settings => bucketSettingsOf(bucket) },
  { name: 'an SFTP server', path: () => sftp.path, settings: (): Settings => sftpSettingsOf(sftp) },
])('files in $name', ({ path, settings }) => {
  const items = fileStream('many.csv');
  const platform = filesPlatform([items]);

  test('have the same rows as in a folder of this machine, in CSV files and workbooks', async () => {
    const exports = loadPlatform(example);
    const all = (given: Settings) =>
      using(exports, given, async (open) => {
        const rows: RawRow[][] = [];
        for (const stream of exports.streams) rows.push(await pass(open, stream, 2));
        return rows;
      });
    const local = await all({ folder: 'exports' });
    expect(local.map(({ length }) => length)).toEqual([4, 5, 3]);
    expect(await all(settings())).toEqual(local);
  });

  test('are tables, and folders are not', async () => {
    const page = await using(platform, settings(), (open) => open.discover.catalog.tables({ from: null }));
    expect(page.items.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['items.xlsx', 'orders-*.csv', 'suppliers.csv']),
    );
    expect(page.items.map(({ name }) => name)).not.toContain('below');
  });

  test('are read in pages, and a new session continues in the middle of a pass', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index};${'x'.repeat(50)}`);
    put(path(), 'many.csv', `id;name\n${lines.join('\n')}\n`);
    const first = await using(platform, settings(), (open) => open.pull({ stream: items, from: null, limit: 7_000 }));
    const rest = await using(platform, settings(), (open) => pass(open, items, 3_000, first.next));
    expect([...first.rows, ...rest].map(({ key }) => key)).toEqual(lines.map((_, index) => String(index)));
  });

  test('have another version when they are replaced, and a pass begins again', async () => {
    put(path(), 'many.csv', 'id;name\n1;a\n2;b\n');
    await using(platform, settings(), async (open) => {
      const before = await open.version(items);
      const first = await open.pull({ stream: items, from: null, limit: 1 });
      expect(await open.version(items)).toBe(before);
      put(path(), 'many.csv', 'id;name\n3;c\n4;d\n', 60);
      expect(await open.version(items)).not.toBe(before);
      expect((await pass(open, items, 10, first.next)).map(({ key }) => key)).toEqual(['3', '4']);
    });
  });

  test('that do not exist are an error that names them, and nothing is empty', async () => {
    const missing = fileStream('none.csv');
    await using(platform, settings(), async (open) => {
      const words = 'none.csv does not exist. Its records stay as they are';
      await expect(pass(open, missing)).rejects.toMatchObject({ kind: 'unavailable', words });
      await expect(pass(open, fileStream('none', { file: 'none-*.csv' }))).rejects.toMatchObject({
        kind: 'unavailable',
        words: 'A file none-*.csv does not exist. Its records stay as they are',
      });
    });
  });

  test('are not read in private networks that are not allowed', async () => {
    vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
    await using(platform, { ...settings(), allowPrivateHosts: false }, async (open) => {
      const refusal = { kind: 'unavailable', words: expect.stringContaining('is not a public address') };
      await expect(open.check()).rejects.toMatchObject(refusal);
      await expect(open.check()).rejects.toMatchObject({ clientWords: 'The connected system cannot be reached' });
    });
  });
});

async function checked(settings: Settings) {
  return using(filesPlatform([]), settings, (open) => open.check());
}

test('a bucket with another key or secret, or without this bucket, is refused in words that name the setting', async () => {
  const settings = bucketSettingsOf(bucket);
  await checked(settings);
  const refused = { kind: 'unauthorized', explanation: { remedy: 'Check accessKeyId and secretAccessKey.' } };
  await expect(checked({ ...settings, secretAccessKey: 'wrong' })).rejects.toMatchObject(refused);
  await expect(checked({ ...settings, accessKeyId: 'wrong' })).rejects.toMatchObject(refused);
  const missing = { words: 'There is no such bucket (HTTP 404, NoSuchBucket)' };
  await expect(checked({ ...settings, folder: 's3://other/' })).rejects.toMatchObject(missing);
});

test('a prefix of a bucket is a folder', async () => {
  put(join(bucket.path, 'below'), 'rates.csv', 'id\n1\n');
  await using(filesPlatform([]), bucketSettingsOf(bucket, 'below'), async (open) => {
    expect(await pass(open, fileStream('rates.csv'))).toEqual([{ key: '1', row: { id: '1' } }]);
  });
  rmSync(join(bucket.path, 'below', 'rates.csv'));
});

test('an SFTP server with another key is refused, and the message names the key to compare', async () => {
  const settings = sftpSettingsOf(sftp);
  await checked(settings);
  for (const hostKey of ['', 'SHA256:another']) {
    await expect(checked({ ...settings, hostKey })).rejects.toMatchObject({
      kind: 'unauthorized',
      words: `The host has the key ${sftp.hostKey}, which is not the one in the setting hostKey`,
    });
  }
});

test('a user, key, passphrase or folder that an SFTP server does not accept is named', async () => {
  const settings = sftpSettingsOf(sftp);
  const unauthorized = (words: string) => ({ kind: 'unauthorized', words });
  const refused = unauthorized('The SFTP server refuses the user');
  await expect(checked({ ...settings, user: 'unknown-user' })).rejects.toMatchObject(refused);
  const { privateKey: _, passphrase: __, ...others } = settings;
  await expect(checked({ ...others, password: 'wrong' })).rejects.toMatchObject(refused);
  const unreadable = unauthorized('The private key cannot be read');
  await expect(checked({ ...settings, passphrase: 'wrong' })).rejects.toMatchObject(unreadable);
  await expect(checked({ ...settings, folder: `${sftp.url}/none` })).rejects.toMatchObject({
    kind: 'unavailable',
    words: 'The folder of the connection does not exist. Its records stay as they are',
  });
});
