import { createHash } from 'node:crypto';
import { SystemError } from '../system-error.ts';
import { incompleteFile } from './file-failure.ts';
import type { FileFolder, FolderEntry, SourceFile } from './file-folder.ts';
import type { FileSource } from './options.ts';

/** Maximum number of files of a stream. */
const MOST_FILES = 1_000;

const byName = new Intl.Collator('en', { numeric: true });

/**
 * The files of a stream, in the order in which they are read.
 *
 * @throws SystemError `unavailable` if there are none
 */
export async function sourceFiles(folder: FileFolder, source: FileSource): Promise<SourceFile[]> {
  const { file, isNewestOnly } = source;
  if (!/[*?]/.test(file)) return [await folder.find(file)];
  const all = (await entriesIn(folder)).filter(({ name }) => matches(name, file));
  const wanted = isNewestOnly ? all.slice(-1) : all;
  if (wanted.length === 0) throw incompleteFile(`A file ${file}`, 'does not exist. Its records stay as they are');
  if (wanted.length > MOST_FILES) {
    const words = `There are ${wanted.length} files ${file}, and at most ${MOST_FILES} are read. Move old ones to another folder`;
    throw new SystemError('rejected', words);
  }
  return Promise.all(wanted.map(({ name, file: found }) => found ?? folder.find(name)));
}

/** The files of a folder in the order of their names, without hidden ones and the lock files of Excel. */
export async function entriesIn(folder: FileFolder): Promise<FolderEntry[]> {
  return (await folder.list())
    .filter(({ name }) => !name.startsWith('.') && !name.startsWith('~$'))
    .sort(({ name: one }, { name: other }) => byName.compare(one, other) || (one < other ? -1 : 1));
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

/** A text that differs after every change to the files, or to how they are read. */
export function versionOf(source: FileSource, files: readonly SourceFile[]): string {
  const states = files.map(({ name, sizeBytes, modifiedMs, etag }) => [
    name,
    sizeBytes,
    modifiedMs,
    ...(etag ? [etag] : []),
  ]);
  return createHash('sha256')
    .update(JSON.stringify([source, states]))
    .digest('base64url');
}
