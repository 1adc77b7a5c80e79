import { SystemError } from '../../system-error.ts';

/** What a request returns within a number of milliseconds. @throws SystemError `unavailable` if it does not */
export async function withinIdle<T>(request: Promise<T>, idleMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SystemError('unavailable', 'The SFTP server does not respond')), idleMs);
  });
  try {
    return await Promise.race([request, late]);
  } finally {
    clearTimeout(timer);
  }
}
