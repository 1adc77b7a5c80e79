import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileStream, filesPlatform } from '../../../test/export-folder.ts';
import {
  type FaultyBucket,
  listing,
  refusing,
  refusingWithoutEnd,
  startFaultyBucket,
} from '../../../test/faulty-bucket.ts';
import { textRow, workbookOf } from '../../../test/workbook.ts';
import type { Json } from '../../json.ts';
import { fileCatalog } from '../file-catalog.ts';
import { openFiles } from '../open-files.ts';
import { StreamFiles } from '../stream-files.ts';
import { openBucketFolder } from './bucket-folder.ts';

let bucket: FaultyBucket;
let files: StreamFiles;
const items = fileStream('items.csv');
const CONTENT = `id;name\n${'1;a long value\n'.repeat(20_000)}2;b\n`;

beforeEach(async () => {
  bucket = await startFaultyBucket();
  bucket.objects.set('items.csv', CONTENT);
  files = new StreamFiles(openBucketFolder(bucket.settings), {});
});
afterEach(async () => {
  await files.close();
  await bucket.stop();
});

async function lastKey(of = files): Promise<string | undefined> {
  const { rows } = await of.page({ stream: items, from: null, limit: 100_000 });
  return rows.at(-1)?.key;
}

test.each([
  [
    'resets the connection in the middle of a file',
    (response, content) => {
      response.writeHead(200, { 'content-length': String(content.length) }).write(content.slice(0, 100_000));
      response.write(content.slice(100_000, 200_000), () => response.socket?.resetAndDestroy());
    },
    { kind: 'unavailable', words: expect.stringMatching(/^items\.csv could not be read to its end/) },
  ],
  [
    'returns fewer bytes than it listed',
    (response, content) => void response.end(content.slice(0, 150_000)),
    { kind: 'unavailable', words: expect.stringMatching(/^items\.csv ended after 150000 of \d+ bytes/) },
  ],
  [
    'does not let the key read the file',
    refusing(403, 'AccessDenied'),
    { kind: 'forbidden', words: 'items.csv may not be read with this access key (HTTP 403, AccessDenied)' },
  ],
  [
    'replaced the file',
    refusing(412, 'PreconditionFailed'),
    { kind: 'unavailable', words: 'items.csv was replaced while it was opened. It is read again' },
  ],
  ['accepts no more requests', refusing(503, 'SlowDown', { 'retry-after': '7' }), { kind: 'throttled', retryAfter: 7 }],
  ['fails', refusing(500, 'InternalError'), { kind: 'unavailable' }],
] as readonly [string, FaultyBucket['faults'][number], object][])(
  'a service that %s is an error, and the file is read completely afterwards',
  async (_, fault, error) => {
    bucket.faults.push(fault);
    await expect(lastKey()).rejects.toMatchObject(error);
    expect(await lastKey()).toBe('2');
  },
);

test('a service that returns nothing for too long is an error', async () => {
  const impatient = new StreamFiles(openBucketFolder(bucket.settings, { idleMs: 300 }), {});
  bucket.faults.push((response, content) => void response.writeHead(200).write(content.slice(0, 10)));
  const words = expect.stringMatching(/^items\.csv could not be read to its end/);
  await expect(lastKey(impatient)).rejects.toMatchObject({ kind: 'unavailable', words });
  await impatient.close();
});

test.each([
  [refusing(403, 'SignatureDoesNotMatch'), { kind: 'unauthorized' }],
  [refusing(403, 'ExpiredToken'), { kind: 'unauthorized' }],
  [
    refusing(403, 'AccessDenied'),
    { kind: 'forbidden', explanation: { remedy: expect.stringContaining('s3:ListBucket') } },
  ],
  [
    refusing(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu-west-1' }),
    { kind: 'rejected', explanation: { remedy: 'Set region to eu-west-1, and check endpoint.' } },
  ],
  [
    refusing(301, 'PermanentRedirect', { 'x-amz-bucket-region': 'eu.attacker.example' }),
    { kind: 'rejected', explanation: { remedy: 'Set region, and check endpoint.' } },
  ],
  [refusingWithoutEnd, { kind: 'forbidden' }],
  [(response) => void response.end('<html><body>Sign in</body></html>'), { kind: 'invalid' }],
  [(response) => void response.end('{"data": []}'), { kind: 'invalid' }],
] as readonly [FaultyBucket['listFaults'][number], object][])(
  'a list that is refused or something else is an error without secrets (%#)',
  async (fault, error) => {
    bucket.listFaults.push(fault);
    const failure = await files.check().catch((cause: Error) => cause);
    expect(failure).toMatchObject(error);
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toMatch(/top secret|AKIA/);
    await files.check();
  },
);

test('all pages of a list are read, whatever the names of the objects contain', async () => {
  for (const name of ['a & b <1>.csv', 'Lieferanten ü.csv', 'orders-10.csv', 'orders-9.csv', '.hidden.csv'])
    bucket.objects.set(name, 'id\n1\n');
  expect(await files.names()).toEqual([
    'a & b <1>.csv',
    'items.csv',
    'Lieferanten ü.csv',
    'orders-9.csv',
    'orders-10.csv',
  ]);
  const { rows } = await files.page({ stream: fileStream('a & b <1>.csv'), from: null, limit: 10 });
  expect(rows).toHaveLength(1);
});

const pages = (count: number) => Array.from({ length: count }, (_, index) => listing('', index % 2 ? 'a' : 'b'));

test.each([
  ['without an end', pages(1_100), {}, { kind: 'rejected', words: /^The list of the folder has more than 1000 pages/ }],
  [
    'that takes too long',
    pages(100),
    { listMs: 1 },
    { kind: 'unavailable', words: /^The folder was not listed within/ },
  ],
  ['that is too long', pages(100), { maxReceivedBytes: 10_000 }, { kind: 'rejected', words: /longer than 10000 char/ }],
  [
    'with a long key',
    [listing(`exports/${'ü'.repeat(600)}`)],
    {},
    { kind: 'invalid', words: /of more than 1024 bytes$/ },
  ],
  ['of another folder', [listing('other/a.csv')], {}, { kind: 'invalid', words: /outside of the folder$/ }],
  [
    'with a way out',
    [listing('exports/../a.csv')],
    {},
    { kind: 'invalid', words: /the part \. or \.\., which is not/ },
  ],
] as const)('a list %s is an error', async (_, faults, limits, { kind, words }) => {
  bucket.listFaults.push(...faults);
  const folder = new StreamFiles(openBucketFolder({ ...bucket.settings, folder: 's3://files/exports' }, limits), {});
  await expect(folder.names()).rejects.toMatchObject({ kind, words: expect.stringMatching(words) });
  await folder.close();
});

test('the files are looked up once per page, and a change begins the pass again', async () => {
  const page = async (from: Json) => files.page({ stream: items, from, limit: 5_000 });
  const first = await page(null);
  bucket.requests.length = 0;
  const second = await page(first.next);
  expect(bucket.requests).toEqual(['']);
  bucket.objects.set('items.csv', `id;name\n${'3;new\n'.repeat(6_000)}`);
  const { rows } = await page(second.next);
  expect(rows).toHaveLength(5_000);
  expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(['3']));
});

test('a draft copies a workbook once', async () => {
  bucket.objects.set(
    'items.xlsx',
    workbookOf({ Items: textRow('Stock') + textRow('id', 'name') + textRow('1', 'Bolt') }),
  );
  const catalog = fileCatalog(files);
  expect(await catalog.options?.('items.xlsx')).toEqual({ header: 2 });
  const columns = await catalog.columns('items.xlsx', { from: null });
  expect(columns?.items.map(({ name }) => name)).toEqual(['id', 'name']);
  expect(bucket.requests.filter((key) => key === 'items.xlsx')).toHaveLength(1);
  bucket.objects.set('items.xlsx', workbookOf({ Items: textRow('no') + textRow('1') }));
  expect((await files.sample('items.xlsx')).names).toEqual(['no']);
});

test('a check reads a limited number of bytes of a file', async () => {
  const limited = openFiles(filesPlatform([items]), bucket.settings, {}, { maxReceivedBytes: 1_024 });
  const words = expect.stringMatching(/^items\.csv is larger than/);
  await expect(limited.discover.columns(items)).rejects.toMatchObject({ kind: 'rejected', words });
  await limited.close();
});
