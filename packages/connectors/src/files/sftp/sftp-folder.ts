import { posix } from 'node:path';
import type { SFTPWrapper, Stats } from 'ssh2';
import type { Json } from '../../json.ts';
import { SystemError } from '../../system-error.ts';
import { incompleteFile } from '../file-failure.ts';
import type { FileFolder, SourceFile } from '../file-folder.ts';
import { ListingLimits } from '../listing-limits.ts';
import { openedRemote } from '../remote-file.ts';
import type { RemoteLimits } from '../remote-limits.ts';
import { IdleTimer } from './idle-timer.ts';
import { type Done, listedNames, type SftpCall } from './listed-names.ts';
import { sftpFailure } from './sftp-failure.ts';
import { openSession, type SftpSession } from './sftp-session.ts';
import { sftpSettings } from './sftp-settings.ts';
import { withinIdle } from './within-idle.ts';

const FOLDER = 'The folder of the connection';

const [IDLE_MS, OPEN_MS, SESSION_MS] = [30_000, 20_000, 60_000];

const PIECE_BYTES = 256 * 1024;

/**
 * A folder on an SFTP server. Its session is opened on first use, and again if it ended. It is closed when it has not been used
 * for a minute, because servers limit sessions, and the next run can be hours away.
 */
export function openSftpFolder(settings: Readonly<Record<string, Json>>, limits: RemoteLimits = {}): FileFolder {
  const { idleMs = IDLE_MS, openMs = OPEN_MS, sessionMs = SESSION_MS, maxReceivedBytes } = limits;
  let opened: SftpSession | undefined;
  const session = (): SftpSession => {
    if (opened) return opened;
    const own = openSession(sftpSettings(settings), openMs, () => {
      if (opened === own) opened = undefined;
    });
    opened = own;
    return own;
  };
  const idle = new IdleTimer(sessionMs, () => opened?.close());
  const folder: FileFolder = {
    isAtomic: false,
    check: () =>
      idle.during(async () => {
        const found = await stated(callsOf(session(), FOLDER, idleMs), sftpSettings(settings).path);
        if (!found.isDirectory()) throw incompleteFile(FOLDER, 'is not a folder');
      }),
    list: () =>
      idle.during(async () => {
        const { path } = sftpSettings(settings);
        const own = session();
        const names = await listedNames(callsOf(own, FOLDER, idleMs), path, new ListingLimits(limits)).catch(
          (error) => {
            // The list may not be at its end.
            own.close();
            throw error;
          },
        );
        return names.filter((name) => !name.includes('/')).map((name) => ({ name }));
      }),
    find: (name) =>
      idle.during(async () => {
        const path = posix.join(sftpSettings(settings).path, name);
        const found = await stated(callsOf(session(), name, idleMs), path);
        if (!found.isFile()) throw new SystemError('forbidden', `${name} is not a file`);
        if (!Number.isSafeInteger(found.size) || found.size < 0 || !Number.isFinite(found.mtime))
          throw new SystemError('invalid', `The SFTP server does not state the size and modification time of ${name}`);
        return { folder, name, path, sizeBytes: found.size, modifiedMs: found.mtime * 1000 };
      }),
    async open(file) {
      const own = session();
      const remote = openedRemote(file, bytesOf(await own.sftp, file, idleMs, own.close), maxReceivedBytes);
      const end = idle.begin();
      return { ...remote, close: () => remote.close().finally(end) };
    },
    async close() {
      idle.stop();
      opened?.close();
    },
  };
  return folder;
}

function stated(call: SftpCall, path: string): Promise<Stats> {
  return call((sftp, done) => sftp.stat(path, done));
}

/** Sends requests for a file or folder with this name, one at a time. A session in which one is late is closed. */
function callsOf({ sftp, close }: SftpSession, name: string, idleMs: number): SftpCall {
  return async <T>(request: (sftp: SFTPWrapper, done: Done<T>) => void): Promise<T> => {
    const open = await sftp;
    const response = new Promise<T>((resolve, reject) => {
      request(open, (error, result) => (error ? reject(error) : resolve(result)));
    });
    return withinIdle(response, idleMs, close).catch((cause) => {
      throw sftpFailure(name, cause);
    });
  };
}

async function* bytesOf(
  sftp: SFTPWrapper,
  { name, path }: SourceFile,
  idleMs: number,
  onLate: () => void,
): AsyncGenerator<Buffer> {
  const stream = sftp.createReadStream(path, { highWaterMark: PIECE_BYTES });
  // Stays, because requests for a file that is no longer read can still fail.
  stream.on('error', () => {});
  const pieces: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  try {
    for (;;) {
      const { done, value } = await withinIdle(pieces.next(), idleMs, onLate);
      if (done) return;
      yield value;
    }
  } catch (cause) {
    throw sftpFailure(name, cause);
  } finally {
    stream.destroy();
  }
}
