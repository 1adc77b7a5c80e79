import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SystemError } from '../system-error.ts';
import { type AllowedFolder, isWithin } from './allowed-folder.ts';
import { fileFailure, incompleteFile } from './file-failure.ts';
import type { FileSource } from './options.ts';

/** A file of a stream as it was when it was looked up. */
export interface SourceFile {
  readonly name: string;
  /** Absolute path without links. */
  readonly path: string;
  readonly sizeBytes: number;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
}

/** Maximum number of files of a stream. */
const MOST_FILES = 1_000;

const byName = new Intl.Collator('en', { numeric: true });

/**
 * The files of a stream, in the order in which they are read.
 *
 * @throws SystemError `unavailable` if there are none
 */
export async function sourceFiles(folder: AllowedFolder, source: FileSource): Promise<SourceFile[]> {
  const { file, isNewestOnly } = source;
  const names = /[*?]/.test(file) ? (await namesIn(folder)).filter((name) => matches(name, file)) : [file];
  const wanted = isNewestOnly ? names.slice(-1) : names;
  if (wanted.length === 0) throw incompleteFile(`A file ${file}`, 'does not exist. Its records stay as they are');
  if (wanted.length > MOST_FILES) {
    const words = `There are ${wanted.length} files ${file}, and at most ${MOST_FILES} are read. Move old ones to another folder`;
    throw new SystemError('rejected', words);
  }
  return Promise.all(wanted.map((name) => sourceFile(folder, name)));
}

/** Names in the folder, without hidden ones and the lock files of Excel. */
export async function namesIn({ path }: AllowedFolder): Promise<string[]> {
  const names = await readdir(path).catch((cause) => {
    throw fileFailure('The folder of the connection', cause);
  });
  return names
    .filter((name) => !name.startsWith('.') && !name.startsWith('~$'))
    .sort((one, other) => byName.compare(one, other) || (one < other ? -1 : 1));
}

/**
 * Whether a name matches a pattern with `*` and `?`. Goes back to the last `*` only, so that the time grows with the product of
 * the lengths: the names of files come from others, and a regular expression could take hours.
 */
export function matches(name: string, pattern: string): boolean {
  const [signs, wanted] = [[...name], [...pattern]];
  let [at, next] = [0, 0];
  let star: { next: number; at: number } | undefined;
  while (at < signs.length) {
    if (wanted[next] === '*') {
      star = { next: next + 1, at };
      next += 1;
    } else if (next < wanted.length && (wanted[next] === '?' || wanted[next] === signs[at])) {
      at += 1;
      next += 1;
    } else if (star) {
      star.at += 1;
      [at, next] = [star.at, star.next];
    } else return false;
  }
  return wanted.slice(next).every((sign) => sign === '*');
}

/** @throws SystemError `forbidden` for a link that leads out of the folder of the operator, and for anything but a file */
async function sourceFile({ path: folder, root }: AllowedFolder, name: string): Promise<SourceFile> {
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
 * @throws SystemError `unavailable` if something else was put in place of the file or of a folder in its path since it was looked up
 */
export async function openFile({ name, path }: SourceFile): Promise<FileHandle> {
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

/** A text that differs after every change to the files, or to how they are read. */
export function versionOf(source: FileSource, files: readonly SourceFile[]): string {
  const states = files.map(({ name, sizeBytes, modifiedMs }) => [name, sizeBytes, modifiedMs]);
  return createHash('sha256')
    .update(JSON.stringify([source, states]))
    .digest('base64url');
}
