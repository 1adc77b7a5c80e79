import { SystemError } from '../../system-error.ts';

/**
 * What a request returns within a number of milliseconds. If it does not, `onLate` ends what it uses.
 *
 * @throws SystemError `unavailable` if it is late
 */
export async function withinIdle<T>(request: Promise<T>, idleMs: number, onLate: () => void): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new SystemError('unavailable', 'The SFTP server does not respond'));
      onLate();
    }, idleMs);
  });
  try {
    return await Promise.race([request, late]);
  } finally {
    clearTimeout(timer);
  }
}
