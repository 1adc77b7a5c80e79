import type { IncomingMessage, ServerResponse } from 'node:http';

/** Milliseconds and bytes for which the rest of a body is read after the response to it. */
const LONGEST_MS = 3_000;
const MOST_BYTES = 10_000_000;

/** Whether a part of the body is still to come. */
export function isUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Sends a short response to a request of which a part is still to come; resolves when the connection may be closed. Closed
 * at once, the kernel would answer what the client goes on sending with a reset, and the client might never see the
 * response. So the rest is read and dropped until the client stops sending, for a while.
 */
export async function lingering(response: ServerResponse, payload: string | Uint8Array): Promise<void> {
  const { req: request } = response;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LONGEST_MS);
  let dropped = 0;
  request.on('data', (bytes: Uint8Array) => {
    dropped += bytes.length;
    if (dropped > MOST_BYTES) resolve();
  });
  for (const event of ['end', 'error', 'close']) request.on(event, () => resolve());
  response.write(payload);
  request.resume();
  await promise;
  clearTimeout(timer);
}
