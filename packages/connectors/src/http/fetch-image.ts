import { createHttpClient } from './http-client.ts';
import { HttpFailure } from './http-failure.ts';

/** An image with its media type. */
export interface Image {
  readonly type: string;
  readonly bytes: Buffer;
}

const LARGEST = 300_000;
const LONGEST_MS = 5_000;
const TYPE = /^image\/(?:png|jpeg|gif|webp|avif|svg\+xml)$/;

/**
 * Fetches an image of at most 300 kB from a public address, or one that the operator allows. Null if none is received within 5
 * seconds. Redirects are not followed.
 */
export async function fetchImage(url: string): Promise<Image | null> {
  const client = createHttpClient({ timeoutMs: LONGEST_MS, connectTimeoutMs: LONGEST_MS, maxBodyBytes: LARGEST });
  try {
    const { status, headers, body } = await client.send({ method: 'GET', url: new URL(url) });
    const type = String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim()
      .toLowerCase();
    return status === 200 && type !== undefined && TYPE.test(type) ? { type, bytes: body } : null;
  } catch (error) {
    if (error instanceof HttpFailure) return null;
    throw error;
  } finally {
    await client.close();
  }
}
