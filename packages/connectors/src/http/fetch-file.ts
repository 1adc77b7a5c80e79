import type { PrivateHosts } from '../net/private-hosts.ts';
import { createHttpClient } from './http-client.ts';
import { HttpFailure } from './http-failure.ts';

/** A file with its media type. */
export interface FetchedFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Which file is expected. */
interface Expected {
  readonly type: RegExp;
  readonly maxBytes: number;
  /** Hosts that may be called in addition to public ones. Defaults to what the operator allows. */
  readonly privateHosts?: PrivateHosts;
}

const LONGEST_MS = 5_000;
/** Traces are not shown to third parties. */
const LIMITS = { timeoutMs: LONGEST_MS, connectTimeoutMs: LONGEST_MS, sendsTrace: false };

/**
 * Fetches a small file from a public address, or one that the operator allows. Null if none of this type and size is received
 * within 5 seconds. Redirects are not followed.
 */
export async function fetchFile(
  url: string,
  { type: expected, maxBytes, ...hosts }: Expected,
): Promise<FetchedFile | null> {
  const client = createHttpClient({ ...LIMITS, ...hosts, maxBodyBytes: maxBytes });
  try {
    const { status, headers, body } = await client.send({ method: 'GET', url: new URL(url) });
    const [given = ''] = String(headers['content-type'] ?? '').split(';');
    const type = given.trim().toLowerCase();
    return status === 200 && expected.test(type) ? { type, bytes: body } : null;
  } catch (error) {
    if (error instanceof HttpFailure) return null;
    throw error;
  } finally {
    await client.close();
  }
}
