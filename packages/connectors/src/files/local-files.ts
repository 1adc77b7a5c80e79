import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SystemError } from '../system-error.ts';
import { type AllowedFolder, isWithin } from './allowed-folder.ts';
import { fileFailure, incompleteFile } from './file-failure.ts';
import type { SourceFile } from './file-folder.ts';

type LocalFile = Omit<SourceFile, 'folder'>;

/** Names in a folder. */
export async function namesIn({ path }: AllowedFolder): Promise<string[]> {
  return readdir(path).catch((cause) => {
    throw fileFailure('The folder of the connection', cause);
  });
}

/** @throws SystemError `forbidden` for a link that leads out of the folder of the operator, and for anything but a file */
export async function findLocalFile({ path: folder, root }: AllowedFolder, name: string): Promise<LocalFile> {
  const path = await failing(name, () => realpath(join(folder, name)));
  if (!isWithin(path, root)) {
    throw new SystemError('forbidden', `${name} is a link that leads out of the folder that FILES_FOLDER names`);
  }
  const found: Stats = await failing(name, () => stat(path));
  if (!found.isFile()) throw new SystemError('forbidden', `${name} is not a file`);
  return { name, path, sizeBytes: found.size, modifiedMs: found.mtimeMs };
}

/** A link in place of the file is not followed, and a pipe in its place does not block the thread. Windows has no such flags. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/**
 * Opens a file for reading. The caller closes it.
 *
 * @throws SystemError `unavailable` if the file, or a folder in its path, was replaced by something else in the meantime
 */
export async function openFile({ name, path }: Pick<LocalFile, 'name' | 'path'>): Promise<FileHandle> {
  const handle = await failing(name, () => open(path, FLAGS));
  try {
    const isSame = (await handle.stat()).isFile() && (await pathOf(handle, path)) === path;
    if (isSame) return handle;
  } catch (cause) {
    await handle.close();
    throw fileFailure(name, cause);
  }
  await handle.close();
  throw incompleteFile(name, 'was replaced while it was opened. It is read again');
}

/** The path of the file that is open, without links; where the system does not tell, what its path now leads to. */
function pathOf({ fd }: FileHandle, path: string): Promise<string> {
  return process.platform === 'linux' ? readlink(`/proc/self/fd/${fd}`) : realpath(path);
}

async function failing<T>(name: string, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (cause) {
    throw fileFailure(name, cause);
  }
}
