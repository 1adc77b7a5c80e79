import type { Scope, StoredWrite } from '@unified/store';
import type { EngineContext } from './engine-context.ts';
import { storedWrite } from './stored-write.ts';

/** Looks again at least this often, should a notification have got lost. */
const LOOK_EVERY_MS = 2_000;

/**
 * The write record once it is settled, or as it stands after `milliseconds`; 0: as it stands now. Throws
 * SERVICE_NOT_FOUND.
 */
export async function waitForWrite(
  { settlements }: EngineContext,
  scope: Scope,
  writeId: string,
  milliseconds: number,
): Promise<StoredWrite> {
  const until = Date.now() + milliseconds;
  for (;;) {
    const left = until - Date.now();
    if (left <= 0) return storedWrite(scope, writeId);
    const waiting = await settlements.wait(writeId, Math.min(left, LOOK_EVERY_MS));
    const write = await storedWrite(scope, writeId);
    if (write.finishedAt !== null) {
      waiting.stop();
      return write;
    }
    await waiting.settled;
  }
}
