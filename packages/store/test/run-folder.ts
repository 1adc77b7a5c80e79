import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Names the folder of this run to the processes that run its tests. */
export const RUN_FOLDER = 'UNIFIED_TEST_RUN';

/** Makes the folder in which the test files of a run share what they prepare; the returned function deletes it. */
export async function setup(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'unified-run-'));
  // PostgreSQL runs as another user where the tests run as root; it passes through.
  await chmod(folder, 0o711);
  process.env[RUN_FOLDER] = folder;
  return () => rm(folder, { recursive: true });
}
