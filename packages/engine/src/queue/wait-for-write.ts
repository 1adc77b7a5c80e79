import { ServiceError } from '@unified/contract';
import { type Scope, type StoredWrite, watchWrite, writeById } from '@unified/store';

/** Reads the write at least this often, in case a notification was lost. */
const LOOK_EVERY_MS = 2_000;

/**
 * The record of a queued write once it is settled, or in its current state after `milliseconds` (0 returns immediately). Throws
 * SERVICE_CONNECTION_INACTIVE if the connection is removed in the meantime, and the write with it.
 */
export async function waitForWrite(scope: Scope, writeId: string, milliseconds: number): Promise<StoredWrite> {
  const until = Date.now() + milliseconds;
  for (;;) {
    const left = until - Date.now();
    if (left <= 0) return queuedWrite(scope, writeId);
    const watch = await watchWrite(scope, writeId, { ms: Math.min(left, LOOK_EVERY_MS) });
    try {
      const write = await queuedWrite(scope, writeId);
      if (write.finishedAt !== null) return write;
      await watch.noticed;
    } finally {
      watch.stop();
    }
  }
}

/** Writes are deleted only when their connection is removed. */
async function queuedWrite(scope: Scope, writeId: string): Promise<StoredWrite> {
  const write = await writeById(scope, writeId);
  if (write) return write;
  const message = 'The connection was removed before the write ended. Whether it was sent to the system is not known.';
  throw new ServiceError('SERVICE_CONNECTION_INACTIVE', message);
}
