import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { incompleteFile, unusableFile } from './file-failure.ts';
import type { OpenedFile, SourceFile } from './file-folder.ts';

/** Largest workbook that is copied. */
const MOST_BYTES = 1024 ** 3;

/** A file of another machine. Text is read as it arrives; a workbook is copied, because its parts are not read in order. */
export function openedRemote(file: SourceFile, bytes: AsyncIterable<Uint8Array>): OpenedFile {
  let copy: Copy | undefined;
  return {
    bytes: () => whole(file, bytes),
    async handle() {
      copy ??= await copyOf(file, whole(file, bytes));
      return copy.handle;
    },
    close: async () => copy?.close(),
  };
}

/** The bytes of a file. @throws SystemError `unavailable` if they are more or fewer than it had when it was looked up */
async function* whole({ name, sizeBytes }: SourceFile, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let read = 0;
  for await (const chunk of bytes) {
    read += chunk.length;
    if (read > sizeBytes) break;
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  }
  if (read === sizeBytes) return;
  const problem = read > sizeBytes ? 'has grown' : `ended after ${read} of ${sizeBytes} bytes`;
  throw incompleteFile(name, `${problem} while it was read. It is read again`);
}

interface Copy {
  readonly handle: FileHandle;
  close(): Promise<void>;
}

/** A copy that only this user can read, until it is closed. */
async function copyOf(file: SourceFile, bytes: AsyncIterable<Buffer>): Promise<Copy> {
  if (file.sizeBytes > MOST_BYTES) {
    throw unusableFile(
      file.name,
      `is larger than ${MOST_BYTES / 1024 ** 2} MiB. Export it as CSV, or as several workbooks`,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'unified-workbook-'));
  const handle = await open(join(folder, 'copy'), 'wx+', 0o600);
  const close = async () => {
    await handle.close();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    for await (const chunk of bytes) await handle.write(chunk);
    return { handle, close };
  } catch (error) {
    await close();
    throw error;
  }
}
