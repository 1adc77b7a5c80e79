import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceError } from '@unified/contract';
import type { ByteRange, ContentPlace, ContentStorage } from '../access/content-storage.ts';
import { type ContentDigest, digesting } from './content-digest.ts';

/** Bytes to put into a bucket. */
export interface BucketObject extends ContentDigest {
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** The operations of an object storage that are used. */
export interface Bucket {
  put(key: string, object: BucketObject): Promise<void>;
  open(key: string, range: ByteRange): AsyncIterable<Uint8Array>;
  remove(key: string): Promise<void>;
}

/**
 * Stores bytes in a bucket, one object per content, under the id of its connection. An object is sent with length and
 * checksum, so bytes are collected in a temporary file first; the bucket then refuses bytes that were damaged in transit.
 */
export function bucketStorage(bucket: Bucket): ContentStorage {
  return {
    put: (place, bytes) => gathered(bytes, (object) => bucket.put(keyOf(place), object).catch(unavailable)),
    open: (place, range) => (range.start < range.end ? bucket.open(keyOf(place), range) : nothing()),
    remove: (place) => bucket.remove(keyOf(place)).catch(unavailable),
  };
}

function unavailable(cause: unknown): never {
  const message = 'The storage of files is not available. Retry later.';
  throw new ServiceError('SERVICE_UNAVAILABLE', message, { cause, retryAfter: 5 });
}

function keyOf({ scope, contentId }: ContentPlace): string {
  return `${scope.connectionId}/${contentId}`;
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

async function gathered(bytes: AsyncIterable<Uint8Array>, use: (object: BucketObject) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'unified-upload-'));
  try {
    const path = join(folder, 'bytes');
    const passing = digesting(bytes);
    await writeFile(path, passing.bytes, { flag: 'wx', mode: 0o600 });
    await use({ ...passing.result(), bytes: () => createReadStream(path) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
