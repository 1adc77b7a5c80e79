import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
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
  const names = /[*?]/.test(file) ? matching(file, await namesIn(folder)) : [file];
  const wanted = isNewestOnly ? names.slice(-1) : names;
  if (wanted.length === 0) throw incompleteFile(`A file ${file}`, 'does not exist. Its records stay as they are');
  if (wanted.length > MOST_FILES) {
    const words = `There are ${wanted.length} files ${file}, and at most ${MOST_FILES} are read. Move old ones to another folder`;
    throw new SystemError('rejected', words);
  }
  return Promise.all(wanted.map((name) => sourceFile(folder, name)));
}

/** Names in the folder, without hidden ones. */
export async function namesIn({ path }: AllowedFolder): Promise<string[]> {
  const names = await readdir(path).catch((cause) => {
    throw fileFailure('The folder of the connection', cause);
  });
  return names
    .filter((name) => !name.startsWith('.'))
    .sort((one, other) => byName.compare(one, other) || (one < other ? -1 : 1));
}

function matching(pattern: string, names: readonly string[]): string[] {
  const form = [...pattern].map((sign) => (sign === '*' ? '.*' : sign === '?' ? '.' : escaped(sign)));
  const isMatch = new RegExp(`^${form.join('')}$`, 'su');
  return names.filter((name) => isMatch.test(name));
}

function escaped(sign: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(sign) ? `\\${sign}` : sign;
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

/** Opens a file for reading. The caller closes it. @throws SystemError */
export function openFile({ name, path }: SourceFile): Promise<FileHandle> {
  // The path has no links: one that was put in its place since then is not followed. Windows has no such flag.
  return failing(name, () => open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0)));
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
