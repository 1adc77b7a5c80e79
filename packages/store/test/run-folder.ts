import { constants } from 'node:fs';
import { access, chmod, mkdtemp, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { tryLock } from '../src/embedded/file-lock.ts';

/** Environment variable with the folder of this run, for the test processes. */
export const RUN_FOLDER = 'UNIFIED_TEST_RUN';

/** Where Linux keeps files in memory. Starting from a copy there takes a tenth of the CPU time that it takes on a disk. */
const MEMORY = '/dev/shm';

/** Keeps the output of Node's compile cache from one run to the next. */
const COMPILED = fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url));

/** Number of bytes that must be free; the files of a run take up to 3 GB. */
const ROOM = 8e9;

const PREFIX = 'unified-tests-';
const LOCK = 'run.lock';

/**
 * Makes the folder in which the test files of a run share what they prepare, in memory if there is room; the returned
 * function deletes it. It is the temporary folder of everything that the run starts.
 */
export async function setup(): Promise<() => Promise<void>> {
  const isAllowed = await mayUseMemory();
  // Done before the check for free space, because files of killed runs may take up space.
  if (isAllowed) await removeAbandoned(MEMORY);
  const base = isAllowed && (await hasRoom()) ? MEMORY : tmpdir();
  if (base !== MEMORY) await removeAbandoned(base);
  const { draft, folder, lock } = await makeLocked(base);
  process.env[RUN_FOLDER] = folder;
  process.env.TMPDIR = folder;
  // Every process compiles the same modules.
  process.env.NODE_COMPILE_CACHE ??= COMPILED;
  return async () => {
    // Another run ignores the folder while it has its first name.
    await rename(folder, draft);
    await rm(draft, { recursive: true });
    lock?.release();
  };
}

/** Whether files may be kept in memory. A `TMPDIR` that was set is kept. */
async function mayUseMemory(): Promise<boolean> {
  if (process.platform !== 'linux' || process.env.TMPDIR !== undefined) return false;
  return access(MEMORY, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Whether there is room for the files of a run: a container often has 64 MB there. */
async function hasRoom(): Promise<boolean> {
  const { bavail, bsize } = await statfs(MEMORY);
  return freemem() >= ROOM && bavail * bsize >= ROOM;
}

/** A folder that is locked while this process runs. It gets its final name once it is locked. */
async function makeLocked(base: string) {
  const draft = await mkdtemp(join(base, 'unified-new-'));
  const lock = tryLock(join(draft, LOCK), 'exclusive');
  const folder = draft.replace(/unified-new-(?=\w+$)/, PREFIX);
  await rename(draft, folder);
  // If the tests run as root, PostgreSQL runs as another user, which must be able to pass through this folder.
  await chmod(folder, 0o711);
  return { draft, folder, lock };
}

/** Deletes what killed runs left behind: otherwise, the memory would never be freed. */
async function removeAbandoned(base: string): Promise<void> {
  for (const name of await readdir(base)) {
    const folder = join(base, name);
    if (!name.startsWith(PREFIX) || (await ownerOf(folder)) !== process.getuid?.()) continue;
    const lock = tryLock(join(folder, LOCK), 'exclusive');
    if (lock) await rm(folder, { recursive: true, force: true });
    lock?.release();
  }
}

/** Null when the run that it belongs to has just deleted it. */
async function ownerOf(folder: string): Promise<number | null> {
  try {
    return (await stat(folder)).uid;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
