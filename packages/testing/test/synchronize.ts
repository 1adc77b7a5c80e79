import type { SyncMode } from '@unified/engine';
import { syncEnd } from '@unified/engine/testing/sync-end';
import type { Scope } from '@unified/store';
import type { Stack } from './stack.ts';

/** Generous, because the machine may be busy. */
const SYNC_MS = 300_000;

/** Requests a sync of all streams of a connection and waits until it has ended. Throws the errors of streams that failed. */
export async function synchronize(
  { engine, database }: Pick<Stack, 'engine' | 'database'>,
  scope: Scope,
  mode: SyncMode,
): Promise<void> {
  await engine.requestSync(scope.connectionId, mode);
  await syncEnd(database.url, scope.connectionId, SYNC_MS);
  const failed = (await engine.syncStatus(scope)).filter(
    ({ error, lastSuccessAt }) => error !== null || lastSuccessAt === null,
  );
  if (failed.length > 0)
    throw new Error(failed.map(({ stream, error }) => `${stream}: ${error ?? 'not read'}`).join('\n'));
}
