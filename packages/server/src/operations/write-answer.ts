import { addressOf } from '@unified/contract';
import type { WriteRecord } from '@unified/store';
import { writeHeaders } from './write-headers.ts';

/** What came of acting upon a write. */
interface Acted {
  readonly write: WriteRecord;
  readonly replayed: boolean;
}

/** A write record after it was acted upon: 202 while something is left to be done, otherwise and in a replay 200. */
export function writeAnswer({ write, replayed }: Acted) {
  const headers = writeHeaders(write.writeId, write.warnings.length);
  if (replayed) return { status: 200, body: write, headers: { ...headers, 'Idempotency-Replayed': 'true' } } as const;
  if (write.finishedAt !== null) return { status: 200, body: write, headers } as const;
  const { writeId } = write;
  return { status: 202, body: write, headers: { ...headers, Location: addressOf('getWrite', { writeId }) } } as const;
}
