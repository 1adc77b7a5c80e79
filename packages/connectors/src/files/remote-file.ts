import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SystemError } from '../system-error.ts';
import { incompleteFile, unusableFile } from './file-failure.ts';
import type { OpenedFile, SourceFile } from './file-folder.ts';

/** Largest workbook that is copied. */
const MOST_BYTES = 1024 ** 3;

/**
 * A file of another machine, of which at most `mostBytes` are read. Text is read as it arrives; a workbook is copied, because its
 * parts are not read in order.
 */
export function openedRemote(
  file: SourceFile,
  bytes: AsyncIterable<Uint8Array>,
  mostBytes: number = Number.POSITIVE_INFINITY,
): OpenedFile {
  let copy: FileHandle | undefined;
  return {
    bytes: () => whole(file, bytes, mostBytes),
    async handle() {
      const most = Math.min(mostBytes, MOST_BYTES);
      if (file.sizeBytes > most) throw tooLarge(file, most);
      copy ??= await copyOf(whole(file, bytes, most));
      return copy;
    },
    close: async () => copy?.close(),
  };
}

/**
 * The bytes of a file.
 *
 * @throws SystemError `unavailable` if they are more or fewer than it had when it was looked up, `rejected` after `most` bytes
 */
async function* whole(file: SourceFile, bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Buffer> {
  const { name, sizeBytes } = file;
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    if (read > most) throw tooLarge(file, most);
    if (read > sizeBytes) break;
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (read === sizeBytes) return;
  const problem = read > sizeBytes ? 'has grown' : `ended after ${read} of ${sizeBytes} bytes`;
  throw incompleteFile(name, `${problem} while it was read. It is read again`);
}

function tooLarge({ name }: SourceFile, most: number): SystemError {
  return unusableFile(name, `is larger than ${most / 1024 ** 2} MiB. Export it as CSV, or as several files`);
}

/** A copy that only this process can read. It has no name, so that nothing remains of it if the process is killed. */
async function copyOf(bytes: AsyncIterable<Buffer>): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'unified-workbook-'));
  const copy = await open(join(folder, 'copy'), 'wx+', 0o600).finally(() =>
    rm(folder, { recursive: true, force: true }),
  );
  try {
    for await (const chunk of bytes) await copy.write(chunk);
    return copy;
  } catch (error) {
    await copy.close();
    throw error;
  }
}
