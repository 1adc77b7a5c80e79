import { openBucket, type S3Bucket } from '@unified/connectors';
import { bucketStorage } from '@unified/store';
import { afterAll, describe, expect, it } from 'vitest';
import { type RunningBucket, startBucket } from '../../connectors/test/remote-folder.ts';
import { startFileKeeper } from './file-keeper.ts';
import { sdkClient } from './sdk-client.ts';
import { START_MS } from './served-company.ts';
import { describeStoredContents } from './stored-contents.ts';

const stopping: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const stop of stopping.reverse()) await stop();
});

/** Starts a service with an empty bucket. */
async function started(): Promise<RunningBucket> {
  const running = await startBucket();
  stopping.push(() => running.stop());
  return running;
}

function bucketAt(running: RunningBucket, secretAccessKey = running.secretAccessKey): S3Bucket {
  const { endpoint, bucket: name, accessKeyId } = running;
  const bucket = openBucket({
    ...{ endpoint, bucket: name, accessKeyId, secretAccessKey, prefix: 'a b/', region: 'us-east-1' },
  });
  stopping.push(() => bucket.close());
  return bucket;
}

describeStoredContents('a bucket', async () => bucketStorage(bucketAt(await started())));

it('serves the files of attachments from a bucket', { timeout: START_MS }, async () => {
  const keeper = await startFileKeeper(bucketStorage(bucketAt(await started())));
  stopping.push(() => keeper.stop());
  const { attachments, vendors } = await sdkClient(keeper.baseUrl, keeper.token);
  const [vendor] = (await vendors.list({ per_page: 1 })).data;
  const bytes = new Uint8Array(3_000_000).map((_, index) => index % 251);
  const made = await attachments.upload({
    ...{ file: bytes, name: 'picture.bin', contentType: 'application/x-picture' },
    subject: { rel: 'Vendor', id: vendor?.id ?? '' },
  });
  const { rows } = await keeper.admin.query('select count(*)::int as chunks from unified.content_chunks');
  expect(rows).toEqual([{ chunks: 0 }]);
  const whole = new Uint8Array(await (await attachments.download(made.id)).arrayBuffer());
  expect(Buffer.compare(whole, bytes)).toBe(0);
  const part = await attachments.download(made.id, { range: 'bytes=1000000-1000003' });
  expect([part.status, new Uint8Array(await part.arrayBuffer())]).toEqual([206, bytes.slice(1_000_000, 1_000_004)]);
});

describe('a bucket', () => {
  const object = (text: string, sha256: string) => ({
    ...{ sizeBytes: text.length, sha256 },
    async *bytes() {
      yield Buffer.from(text);
    },
  });
  const hello = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

  it('refuses bytes whose checksum differs from the announced one', async () => {
    const bucket = bucketAt(await started());
    await bucket.put('good', object('hello', hello));
    await expect(bucket.put('bad', object('hallo', hello))).rejects.toThrow(/returned 400 \(.+\) for PUT/);
  });

  it('refuses requests without the secret, and does not reveal it', async () => {
    const bucket = bucketAt(await started(), 'wrong secret');
    const refused = await bucket.put('good', object('hello', hello)).catch((error: Error) => error);
    expect(String(refused)).toMatch(/returned 403 \(SignatureDoesNotMatch\) for PUT/);
    expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused))).not.toContain('wrong secret');
  });
});
