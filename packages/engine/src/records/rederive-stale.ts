import { rawRows, recordsToRederive } from '@unified/store';
import type { DriverSession } from '../drivers/driver-session.ts';
import { deriveAgain } from './store-rows.ts';

const BATCH = 500;

/**
 * Derives anew what a reference can be resolved in by now, and what shows the old label of a target. After a first
 * synchronisation that is much: it is left to a later call as soon as `isAwaited` says that something else has to be done.
 */
export async function rederiveStale(
  { scope, platform }: Pick<DriverSession, 'scope' | 'platform'>,
  signal: AbortSignal,
  isAwaited: () => Promise<boolean> = async () => false,
): Promise<void> {
  for (let rows = BATCH; rows > 0 && !signal.aborted; ) {
    rows = await scope.transaction(async (inner) => {
      const stale = await recordsToRederive(inner, BATCH);
      for (const { stream: name, keys } of stale) {
        const stream = platform.streams.find((each) => each.name === name);
        if (stream) await deriveAgain(inner, platform, stream, await rawRows(inner, name, keys));
      }
      return stale.reduce((sum, { keys }) => sum + keys.length, 0);
    });
    if (await isAwaited()) return;
  }
}
