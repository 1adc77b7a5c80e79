import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { openBucket, type S3Bucket } from '@unified/connectors';
import { bucketStorage } from '@unified/store';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { startFileKeeper } from './file-keeper.ts';
import { sdkClient } from './sdk-client.ts';
import { START_MS } from './served-company.ts';
import { describeStoredContents } from './stored-contents.ts';

/** A gateway that speaks S3 over a folder and checks every signature; `test-systems/s3/install.sh` installs it. */
const GATEWAY = join(process.env.GOBIN ?? join(homedir(), 'go/bin'), 'versitygw');
const access = { accessKeyId: 'tests', secretAccessKey: 'a secret of the tests' };
const stopping: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  for (const stop of stopping.reverse()) await stop();
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : expect.fail('no port');
}

/** Starts the gateway with an empty bucket. */
async function startGateway(): Promise<URL> {
  if (!existsSync(GATEWAY)) throw new Error(`There is no ${GATEWAY}: run test-systems/s3/install.sh.`);
  const folder = await mkdtemp(join(tmpdir(), 'unified-s3-'));
  await mkdir(join(folder, 'files'));
  stopping.push(() => rm(folder, { recursive: true }));
  // Another process may take the free port before the gateway listens on it.
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const url = await serve(folder, await freePort());
    if (url) return url;
  }
  throw new Error('The gateway exited on every free port.');
}

/** Serves the folder on a port; undefined if the gateway exits instead, for example because the port is taken. */
async function serve(folder: string, port: number): Promise<URL | undefined> {
  const given = ['--access', access.accessKeyId, '--secret', access.secretAccessKey, '--port', `127.0.0.1:${port}`];
  const gateway = spawn(GATEWAY, [...given, '--quiet', 'posix', '--nometa', folder], { stdio: 'ignore' });
  const ended = once(gateway, 'exit');
  stopping.push(async () => {
    gateway.kill();
    await ended;
  });
  const url = new URL(`http://127.0.0.1:${port}`);
  const answers = vi.waitFor(() => fetch(url), { timeout: 60_000, interval: 100 }).then(() => url);
  return Promise.race([answers, ended.then(() => undefined)]);
}

function bucketAt(endpoint: URL, secretAccessKey = access.secretAccessKey): S3Bucket {
  const bucket = openBucket({
    ...access,
    secretAccessKey,
    endpoint,
    bucket: 'files',
    prefix: 'a b/',
    region: 'us-east-1',
  });
  stopping.push(() => bucket.close());
  return bucket;
}

describeStoredContents('a bucket', async () => bucketStorage(bucketAt(await startGateway())));

it('serves the files of attachments from a bucket', { timeout: START_MS }, async () => {
  const keeper = await startFileKeeper(bucketStorage(bucketAt(await startGateway())));
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
    const bucket = bucketAt(await startGateway());
    await bucket.put('good', object('hello', hello));
    await expect(bucket.put('bad', object('hallo', hello))).rejects.toThrow(/returned 400 \(.+\) for PUT/);
  });

  it('refuses requests without the secret, and does not reveal it', async () => {
    const bucket = bucketAt(await startGateway(), 'wrong secret');
    const refused = await bucket.put('good', object('hello', hello)).catch((error: Error) => error);
    expect(String(refused)).toMatch(/returned 403 \(SignatureDoesNotMatch\) for PUT/);
    expect(JSON.stringify(refused, Object.getOwnPropertyNames(refused))).not.toContain('wrong secret');
  });
});
