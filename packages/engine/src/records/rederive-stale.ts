import { expandRenamed, rawRows, recordsToRederive, type Scope } from '@unified/store';
import type { ConnectionModel } from '../model/connection-model.ts';
import { deriveAgain } from './store-rows.ts';

const BATCH = 500;

/**
 * Derives records again whose references can now be resolved, and those that show an outdated label of a target. There can be
 * many after a first synchronization, so it returns early as soon as `isAwaited` returns true, and leaves the rest to a later
 * call.
 */
export async function rederiveStale(
  { scope, model }: { readonly scope: Scope; readonly model: ConnectionModel },
  signal: AbortSignal,
  isAwaited: () => Promise<boolean> = async () => false,
): Promise<void> {
  while (!signal.aborted) {
    const renamed = await expandRenamed(scope);
    const rows = await scope.transaction(async (inner) => {
      const stale = await recordsToRederive(inner, BATCH);
      for (const { stream: name, keys } of stale) {
        const stream = model.platform.streams.find((each) => each.name === name);
        if (stream) await deriveAgain(inner, model, stream, await rawRows(inner, name, keys));
      }
      return stale.reduce((sum, { keys }) => sum + keys.length, 0);
    });
    if (renamed + rows === 0 || (await isAwaited())) return;
  }
}
