import type { FileEntryWithStats, SFTPWrapper } from 'ssh2';
import type { ListingLimits } from '../listing-limits.ts';

/** Code of the protocol for the end of a list. */
const END = 1;

/** What a response without entries counts as. There can be a few: the library leaves out `.` and `..`. */
const EMPTY_ENTRIES = 1_000;

/** Receives the response to a request. */
export type Done<T> = (error: Error | undefined, result: T) => void;

/** Sends one request. @throws SystemError */
export type SftpCall = <T>(request: (sftp: SFTPWrapper, done: Done<T>) => void) => Promise<T>;

/** Names of the entries of a folder. @throws SystemError, for example if there are too many */
export async function listedNames(call: SftpCall, path: string, limits: ListingLimits): Promise<string[]> {
  const handle = await call<Buffer>((sftp, done) => sftp.opendir(path, done));
  const names: string[] = [];
  for (;;) {
    const batch = await nextBatch(call, handle);
    if (!batch) break;
    // No entries are not the end of the list, so they count as many.
    limits.addEntries(batch.length || EMPTY_ENTRIES);
    limits.addCharacters(batch.reduce((sum, { filename, longname }) => sum + filename.length + longname.length, 0));
    for (const { filename } of batch) names.push(filename);
  }
  await call<void>((sftp, done) => sftp.close(handle, (error) => done(error ?? undefined, undefined)));
  return names;
}

/** The next entries; null at the end of the list. */
function nextBatch(call: SftpCall, handle: Buffer): Promise<FileEntryWithStats[] | null> {
  return call((sftp, done) =>
    sftp.readdir(handle, (error, list) => {
      const isEnd = error !== undefined && 'code' in error && error.code === END;
      return isEnd ? done(undefined, null) : done(error, list);
    }),
  );
}
