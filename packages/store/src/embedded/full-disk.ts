import { statfs } from 'node:fs/promises';

/** Megabytes that PostgreSQL requires: two segments of its write-ahead log. */
const LEAST_MB = 32;

const FULL = /No space left on device|ENOSPC/;

/** The error to report: if the cause is that the disk of `folder` is full, one that explains what to do. */
export async function explainFullDisk(error: unknown, folder: string): Promise<unknown> {
  const message = error instanceof Error ? error.message : String(error);
  const { bavail, bsize } = await statfs(folder);
  const left = Math.floor((bavail * bsize) / 2 ** 20);
  if (left >= LEAST_MB && !FULL.test(message)) return error;
  return new Error(
    `The disk of ${folder} has too little space: ${left} MB are left. Free some space, or choose another folder with DATA_DIR.`,
    { cause: error },
  );
}
