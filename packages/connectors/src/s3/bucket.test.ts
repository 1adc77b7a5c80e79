import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FaultyBucket, refusing, refusingWithoutEnd, startFaultyBucket } from '../../test/faulty-bucket.ts';
import { openBucket, type S3Bucket } from './bucket.ts';

let service: FaultyBucket;
let bucket: S3Bucket;

beforeEach(async () => {
  service = await startFaultyBucket();
  const { endpoint, accessKeyId, secretAccessKey } = service.settings;
  bucket = openBucket({
    ...{ endpoint: new URL(String(endpoint)), bucket: 'files', region: 'us-east-1', prefix: '' },
    ...{ accessKeyId: String(accessKeyId), secretAccessKey: String(secretAccessKey) },
  });
});
afterEach(async () => {
  await bucket.close();
  await service.stop();
});

test.each([
  ['ends', refusing(403, 'AccessDenied')],
  ['does not end', refusingWithoutEnd],
])('an error whose body %s is reported by its code', async (_, fault) => {
  service.faults.push(fault);
  const read = buffer(bucket.open('a.bin', { start: 0, end: 10 }));
  await expect(read).rejects.toThrow('The bucket returned 403 (AccessDenied) for GET.');
});
