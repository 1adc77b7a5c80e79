import { constants } from 'node:fs';
import { chmod, chown, copyFile, mkdir, readdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

/** Paths of the files in a folder, relative to it, and of its subfolders, whose paths end with a slash. */
export async function filesIn(folder: string, isWanted: (path: string) => boolean = () => true): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .map((entry) => join(relative(folder, entry.parentPath), entry.name) + (entry.isDirectory() ? '/' : ''))
    .filter(isWanted)
    .sort();
}

/** Total size in bytes of these files. Files that have been removed in the meantime count as empty. */
export async function sizeOf(folder: string, files: readonly string[]): Promise<number> {
  let sum = 0;
  for (const file of files) if (!file.endsWith('/')) sum += (await existing(stat(join(folder, file))))?.size ?? 0;
  return sum;
}

/** The folders between which files are copied. */
export interface Copying {
  readonly from: string;
  readonly to: string;
  /** Owner of the copies, if this process is root; defaults to the owner of the files. */
  readonly owner?: { readonly uid: number; readonly gid: number } | null;
}

/**
 * Copies files with their permissions, and creates their folders. A file that another process removes is left out; one that it
 * changes is copied in whatever state it is in. `onCopied` is called with the bytes of each.
 */
export async function copyFiles(
  copying: Copying,
  files: readonly string[],
  onCopied: (bytes: number) => void = () => {},
): Promise<void> {
  await makeFolder(copying, '');
  for (const file of files) {
    if (file.endsWith('/')) await makeFolder(copying, file);
    else onCopied(await copy(copying, file));
  }
}

async function copy(copying: Copying, file: string): Promise<number> {
  await makeFolder(copying, dirname(file));
  const [source, target] = [join(copying.from, file), join(copying.to, file)];
  const found = await existing(stat(source));
  const isCopied = found && (await existing(copyFile(source, target, constants.COPYFILE_FICLONE).then(() => true)));
  if (!isCopied) return 0;
  await own(target, { uid: found.uid, gid: found.gid, mode: found.mode, ...copying.owner });
  return found.size;
}

async function makeFolder({ from, to, owner }: Copying, folder: string): Promise<void> {
  const target = join(to, folder);
  const isNew = (await mkdir(target, { recursive: true, mode: 0o700 })) !== undefined;
  const found = isNew && (await existing(stat(join(from, folder))));
  if (found) await own(target, { uid: found.uid, gid: found.gid, mode: found.mode, ...owner });
}

async function own(path: string, { uid, gid, mode }: { uid: number; gid: number; mode: number }): Promise<void> {
  // Only root may give files to another user.
  if (process.getuid?.() === 0) await chown(path, uid, gid);
  await chmod(path, mode & 0o777);
}

/** The result; undefined for a file that does not exist. */
async function existing<T>(work: Promise<T>): Promise<T | undefined> {
  return work.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
