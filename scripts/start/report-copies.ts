import { setTimeout as pause } from 'node:timers/promises';
import type { Engine } from '@unified/engine';
import { type Connection, listConnections, type Store } from '@unified/store';
import { firstCopy } from './first-copy.ts';
import { passing, step } from './progress.ts';

const LOOK_EVERY = 1_000;
/** Interval of the lines if the output is not a terminal. */
const REPORT_EVERY = 10_000;

/**
 * Reports the progress of the first copies of the currently connected systems, and when each is complete. Workers create the
 * copies. Rejects if the status cannot be read.
 */
export async function reportFirstCopies(engine: Engine, store: Store, signal: AbortSignal): Promise<void> {
  const active = (await listConnections(store)).filter(({ status }) => status === 'active');
  await Promise.all(active.map((connection) => reportOne(engine, store, connection, signal)));
}

async function reportOne(engine: Engine, store: Store, connection: Connection, signal: AbortSignal): Promise<void> {
  const { id: connectionId, applicationId, name } = connection;
  const scope = store.scope({ connectionId, applicationId });
  const began = performance.now();
  let reported = began;
  for (let look = 0; !signal.aborted; look += 1) {
    await pause(LOOK_EVERY, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const now = performance.now();
    const { isComplete, text } = firstCopy(name, await engine.syncStatus(scope), (now - began) / 1000);
    if (isComplete) return look === 0 ? undefined : step(text);
    if (process.stderr.isTTY) passing(text);
    else if (now - reported >= REPORT_EVERY) {
      step(text);
      reported = now;
    }
  }
}
