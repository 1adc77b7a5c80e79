import { afterEach, beforeEach, expect, test } from 'vitest';
import { fileStream } from '../../../test/export-folder.ts';
import { type FaultyBucket, refusing, startFaultyBucket } from '../../../test/faulty-bucket.ts';
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
  const impatient = new StreamFiles(openBucketFolder(bucket.settings, 300), {});
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
