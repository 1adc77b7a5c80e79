import type { WriteRecord } from '@unified/store';

/** A write record after it was acted upon: 202 while something is left to be done, otherwise 200. */
export function writeAnswer(write: WriteRecord) {
  const isDone = write.finishedAt !== null;
  if (isDone) return { status: 200, body: write } as const;
  return { status: 202, body: write, headers: { Location: `/v4/writes/${write.writeId}` } } as const;
}
