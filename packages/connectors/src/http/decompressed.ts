import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { HttpFailure } from './http-failure.ts';
import type { HttpResponse } from './response-collector.ts';

/** The first bytes of data that gzip has compressed. */
const MAGIC = Buffer.from([0x1f, 0x8b]);

/**
 * A response to a request that accepts gzip, decompressed. Some servers mark bodies as compressed that are not: these are returned
 * as they are.
 *
 * @param most maximum length of the body in bytes
 * @throws {HttpFailure} `too-large` if it is longer, `broken` if it cannot be decompressed
 */
export async function decompressed(response: HttpResponse, most: number): Promise<HttpResponse> {
  const { 'content-encoding': encoding, ...headers } = response.headers;
  if (encoding === undefined) return response;
  if (encoding !== 'gzip' || !response.body.subarray(0, MAGIC.length).equals(MAGIC)) return { ...response, headers };
  try {
    return { ...response, headers, body: await promisify(gunzip)(response.body, { maxOutputLength: most }) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    if (isTooLarge) throw new HttpFailure('too-large', true, `The response is longer than ${most} bytes`, error);
    throw new HttpFailure('broken', true, 'The response cannot be decompressed', error, response.status);
  }
}
