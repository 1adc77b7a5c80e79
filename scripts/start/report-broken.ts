import { setTimeout as pause } from 'node:timers/promises';
import { brokenPlatforms } from '@unified/engine';
import type { Store } from '@unified/store';
import { step } from './progress.ts';

/** Loading all platforms takes a third of a second of CPU time. The first requests are served before that. */
const AFTER_MS = 1_000;

/** Reports what is wrong with the platforms and mappings of active connections. Rejects when it is stopped. */
export async function reportBrokenPlatforms(store: Store, signal: AbortSignal): Promise<void> {
  await pause(AFTER_MS, undefined, { signal });
  for (const problem of await brokenPlatforms({ store })) step(`✗ ${problem}`);
}
