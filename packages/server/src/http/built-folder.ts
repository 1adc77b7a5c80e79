import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

const LOOK_EVERY_MS = 200;

/**
 * Resolves to whether a folder is built. On the first start, pages are built while the server already runs, so this waits until the
 * folder exists, for a limited time in milliseconds.
 */
export async function isBuilt(built: { readonly folder: URL; readonly longestBuildMs: number }): Promise<boolean> {
  for (const end = Date.now() + built.longestBuildMs; !existsSync(built.folder); await pause(LOOK_EVERY_MS))
    if (Date.now() > end) return false;
  return true;
}
