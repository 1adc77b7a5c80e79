import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new folder for the files of a system. It is removed after everything that is added to `started` later has ended. */
export async function temporaryFolder(prefix: string, started: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), prefix));
  started.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
