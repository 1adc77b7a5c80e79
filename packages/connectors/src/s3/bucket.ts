import { Readable } from 'node:stream';
import { createHttpClient } from '../http/http-client.ts';
import type { StreamedResponse } from '../http/streamed.ts';
import { errorCode } from './error-code.ts';
import type { S3Settings } from './settings.ts';
import { type BucketRequest, signedRequest } from './signed-request.ts';

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

/** Opens a bucket; connects when it is first used. The only private host that can be reached is that of the endpoint. */
export function openBucket(settings: S3Settings): S3Bucket {
  const host = settings.endpoint.hostname.replace(/^\[|\]$/g, '');
  const client = createHttpClient({ privateHosts: { includes: (hostname) => hostname === host } });
  const send = async (request: BucketRequest, key: string, accepted: readonly number[]) => {
    const response = await client.stream(await signedRequest(settings, `${settings.prefix}${key}`, request));
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

async function drained({ body }: StreamedResponse): Promise<void> {
  for await (const _ of body);
}

/**
 * What went wrong, identified by the code of the service. Its messages are not used, because they may repeat the request,
 * including credentials.
 */
async function refused({ status, body }: StreamedResponse, method: string): Promise<BucketFailure> {
  const code = (await errorCode(body)) || 'no code';
  return new BucketFailure(`The bucket returned ${status} (${code}) for ${method}.`);
}
