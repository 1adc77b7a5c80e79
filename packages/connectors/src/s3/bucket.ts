import { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import { createHttpClient } from '../http/http-client.ts';
import type { StreamedRequest, StreamedResponse } from '../http/streamed.ts';
import type { S3Settings } from './settings.ts';

/** An object to store: its number of bytes and SHA-256 (hexadecimal), which the service checks. */
export interface ObjectToPut {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** One bucket of a service with the S3 API. Every method throws `BucketFailure` or `HttpFailure`. */
export interface S3Bucket {
  put(key: string, object: ObjectToPut): Promise<void>;
  /** Bytes from `start` up to, not including, `end`. */
  open(key: string, range: { readonly start: number; readonly end: number }): AsyncIterable<Uint8Array>;
  /** Succeeds if the object does not exist. */
  remove(key: string): Promise<void>;
  close(): Promise<void>;
}

/** The service did not carry out a request. */
export class BucketFailure extends Error {
  override readonly name = 'BucketFailure';
}

const NOTHING = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
const IDLE_MS = 30_000;

/** Opens a bucket; connects when it is first used. The only private host that can be reached is that of the endpoint. */
export function openBucket(settings: S3Settings): S3Bucket {
  const host = settings.endpoint.hostname.replace(/^\[|\]$/g, '');
  const client = createHttpClient({ privateHosts: { includes: (hostname) => hostname === host } });
  const send = async (request: Wanted, key: string, accepted: readonly number[]) => {
    const response = await client.stream(await signed(settings, key, request));
    if (!accepted.includes(response.status)) throw await refused(response, request.method);
    return response;
  };
  return {
    async put(key, { sha256, sizeBytes, bytes }) {
      const body = Readable.from(bytes(), { objectMode: false });
      const headers = { 'Content-Length': String(sizeBytes) };
      await drained(await send({ method: 'PUT', sha256, headers, body }, key, [200]));
    },
    async *open(key, { start, end }) {
      const { body } = await send({ method: 'GET', headers: { Range: `bytes=${start}-${end - 1}` } }, key, [206]);
      yield* body as AsyncIterable<Uint8Array>;
    },
    async remove(key) {
      await drained(await send({ method: 'DELETE' }, key, [200, 204, 404]));
    },
    close: () => client.close(),
  };
}

interface Wanted {
  readonly method: StreamedRequest['method'];
  /** Checksum of the body; absent if the request has no body. */
  readonly sha256?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable;
}

/** The request with its signature (AWS Signature Version 4), which covers the checksum of the body. */
async function signed(settings: S3Settings, key: string, wanted: Wanted): Promise<StreamedRequest> {
  const { endpoint, bucket, prefix, region, accessKeyId, secretAccessKey, sessionToken } = settings;
  const { method, sha256 = NOTHING, headers: own = {}, body } = wanted;
  const path = `${endpoint.pathname.replace(/\/$/, '')}/${bucket}/${prefix}${key}`;
  const url = new URL(path.split('/').map(encodeURIComponent).join('/'), endpoint);
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

async function drained({ body }: StreamedResponse): Promise<void> {
  for await (const _ of body);
}

/**
 * What went wrong, identified by the code of the service. Its messages are not used, because they may repeat the request,
 * including credentials.
 */
async function refused({ status, body }: StreamedResponse, method: string): Promise<BucketFailure> {
  let text = '';
  for await (const chunk of body) if (text.length < 10_000) text += chunk;
  const code = /<Code>(\w{1,100})<\/Code>/.exec(text)?.[1] ?? 'no code';
  return new BucketFailure(`The bucket returned ${status} (${code}) for ${method}.`);
}
