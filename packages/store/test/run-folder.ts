import { constants } from 'node:fs';
import { access, chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Names the folder of this run to the processes that run its tests. */
export const RUN_FOLDER = 'UNIFIED_TEST_RUN';

/** Where Linux keeps files in memory. Copying a PostgreSQL there takes a tenth of the time that a disk needs. */
const MEMORY = '/dev/shm';

/** Keeps what Node compiles from one run to the next. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** Bytes that the files of a run take at most, with room to spare. */
const ROOM = 8e9;

/** Folders of runs are named after the process, so that a later run deletes what a killed one left. */
const PREFIX = 'unified-run-';

/**
 * Makes the folder in which the test files of a run share what they prepare, in memory where there is room; the returned
 * function deletes it. It is the temporary folder of everything that the run starts.
 */
export async function setup(): Promise<() => Promise<void>> {
  const base = (await hasRoom()) ? MEMORY : tmpdir();
  await removeAbandoned(base);
  const folder = await mkdtemp(join(base, `${PREFIX}${process.pid}-`));
  // PostgreSQL runs as another user where the tests run as root; it passes through.
  await chmod(folder, 0o711);
  process.env[RUN_FOLDER] = folder;
  process.env.TMPDIR = folder;
  // Every process compiles the same modules.
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
  return () => rm(folder, { recursive: true });
}

/** Whether files may be kept in memory: a container often has 64 MB there. A `TMPDIR` that was chosen is kept. */
async function hasRoom(): Promise<boolean> {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined || freemem() < ROOM) return false;
  const { bavail, bsize } = await statfs(MEMORY);
  if (bavail * bsize < ROOM) return false;
  return access(MEMORY, constants.W_OK).then(
    () => true,
    () => false,
  );
}

async function removeAbandoned(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const owner = new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1];
    if (owner !== undefined && !isRunning(Number(owner))) await rm(join(base, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process of another user exists but takes no signal.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
