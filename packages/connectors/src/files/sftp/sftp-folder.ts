import { posix } from 'node:path';
import type { FileEntryWithStats, SFTPWrapper, Stats } from 'ssh2';
import type { Json } from '../../json.ts';
import { SystemError } from '../../system-error.ts';
import { incompleteFile } from '../file-failure.ts';
import type { FileFolder, SourceFile } from '../file-folder.ts';
import { openedRemote } from '../remote-file.ts';
import { sftpFailure } from './sftp-failure.ts';
import { openSession, type SftpSession } from './sftp-session.ts';
import { sftpSettings } from './sftp-settings.ts';
import { withinIdle } from './within-idle.ts';

const FOLDER = 'The folder of the connection';

/** Maximum milliseconds until the response to a request. */
const IDLE_MS = 30_000;

const PIECE_BYTES = 256 * 1024;

/** A folder on an SFTP server. Its session is opened on first use, and again if it ended. `idleMs` is for tests. */
export function openSftpFolder(settings: Readonly<Record<string, Json>>, idleMs = IDLE_MS): FileFolder {
  let opened: Promise<SftpSession> | undefined;
  const forget = () => {
    opened = undefined;
  };
  const session = async (): Promise<SFTPWrapper> => {
    opened ??= openSession(sftpSettings(settings), forget).catch((error) => {
      forget();
      throw error;
    });
    return (await opened).sftp;
  };
  const folder: FileFolder = {
    isAtomic: false,
    async check() {
      const found = await stated(await session(), sftpSettings(settings).path, FOLDER, idleMs);
      if (!found.isDirectory()) throw incompleteFile(FOLDER, 'is not a folder');
    },
    async list() {
      const entries = await listed(await session(), sftpSettings(settings).path, idleMs);
      return entries.filter(({ filename }) => !filename.includes('/')).map(({ filename }) => ({ name: filename }));
    },
    async find(name) {
      const path = posix.join(sftpSettings(settings).path, name);
      const found = await stated(await session(), path, name, idleMs);
      if (!found.isFile()) throw new SystemError('forbidden', `${name} is not a file`);
      return { folder, name, path, sizeBytes: found.size, modifiedMs: found.mtime * 1000 };
    },
    open: async (file) => openedRemote(file, bytesOf(await session(), file, idleMs)),
    async close() {
      const known = await opened?.catch(() => undefined);
      known?.close();
    },
  };
  return folder;
}

function stated(sftp: SFTPWrapper, path: string, name: string, idleMs: number): Promise<Stats> {
  return resultOf(name, idleMs, (done) => sftp.stat(path, done));
}

function listed(sftp: SFTPWrapper, path: string, idleMs: number): Promise<FileEntryWithStats[]> {
  return resultOf(FOLDER, idleMs, (done) => sftp.readdir(path, done));
}

type Done<T> = (error: Error | undefined, result: T) => void;

/** The result of one request. @throws SystemError */
async function resultOf<T>(name: string, idleMs: number, request: (done: Done<T>) => void): Promise<T> {
  try {
    return await withinIdle(
      new Promise<T>((resolve, reject) => {
        request((error, result) => (error ? reject(error) : resolve(result)));
      }),
      idleMs,
    );
  } catch (cause) {
    throw sftpFailure(name, cause);
  }
}

async function* bytesOf(sftp: SFTPWrapper, { name, path }: SourceFile, idleMs: number): AsyncGenerator<Buffer> {
  const stream = sftp.createReadStream(path, { highWaterMark: PIECE_BYTES });
  // Stays, because requests for a file that is no longer read can still fail.
  stream.on('error', () => {});
  const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withinIdle(pieces.next(), idleMs);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw sftpFailure(name, cause);
  } finally {
    stream.destroy();
  }
}
