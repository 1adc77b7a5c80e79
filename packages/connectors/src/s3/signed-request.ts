import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import type { StreamedRequest } from '../http/streamed.ts';
import type { S3Settings } from './settings.ts';

/** A request for an object of a bucket, or for the bucket itself. */
export interface BucketRequest {
  readonly method: StreamedRequest['method'];
  /** Checksum of the body; absent if the request has no body. */
  readonly sha256?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
}

const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const IDLE_MS = 30_000;

/**
 * The request with its signature (AWS Signature Version 4), which covers the checksum of the body. `key` is empty for the bucket.
 */
export async function signedRequest(
  { endpoint, bucket, region, accessKeyId, secretAccessKey, sessionToken }: Omit<S3Settings, 'prefix'>,
  key: string,
  { method, sha256 = NOTHING, query = {}, headers: own = {}, body }: BucketRequest,
): Promise<StreamedRequest> {
  const path = `${endpoint.pathname.replace(/\/$/, '')}/${bucket}${key === '' ? '' : `/${key}`}`;
  const url = new URL(path.split('/').map(encodeURIComponent).join('/'), endpoint);
  url.search = Object.entries(query)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  const { headers } = await new AwsV4Signer({
    method,
    url: url.href,
    service: 's3',
    region,
    accessKeyId,
    secretAccessKey,
    ...(sessionToken !== undefined && { sessionToken }),
    headers: { 'X-Amz-Content-Sha256': sha256 },
  }).sign();
  const sent = { ...Object.fromEntries(headers), ...own };
  return { method, url, headers: sent, idleMs: IDLE_MS, ...(body && { body }) };
}
