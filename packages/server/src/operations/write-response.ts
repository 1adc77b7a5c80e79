import { addressOf, ServiceError } from '@unified/contract';
import type { WriteError, WriteRecord } from '@unified/store';

/** What came of acting upon a write. */
interface Acted {
  readonly write: WriteRecord;
  readonly replayed: boolean;
}

/** A write record after it was acted upon: 202 while something is left to be done, otherwise and in a replay 200. */
export function writeResponse({ write, replayed }: Acted) {
  const headers = writeHeaders(write.writeId, write.warnings.length);
  if (replayed) return { status: 200, body: write, headers: { ...headers, 'Idempotency-Replayed': 'true' } } as const;
  if (write.finishedAt !== null) return { status: 200, body: write, headers } as const;
  const { writeId } = write;
  return { status: 202, body: write, headers: { ...headers, Location: addressOf('getWrite', { writeId }) } } as const;
}

/**
 * Headers of an answer to a request that made a write, or repeats it: which write record tells of it, and how many
 * warnings that has. The answer itself may hold nothing of the write record.
 */
export function writeHeaders(writeId: string, warnings: number): Record<string, string> {
  return { 'Write-Id': writeId, ...(warnings > 0 && { 'Write-Warnings': String(warnings) }) };
}

/** A write that did not succeed, or of which nobody knows whether it did: its error, and where to read more. */
export class WriteFailure extends ServiceError {
  readonly writeId: string;
  /** How many warnings the write record has. */
  readonly warnings: number;

  constructor(write: WriteRecord) {
    const { code, message, details } = reasonOf(write);
    super(code, message, { details: [{ writeId: write.writeId }, ...details] });
    this.writeId = write.writeId;
    this.warnings = write.warnings.length;
  }
}

/** Throws the `WriteFailure` of a write that did not succeed; returns for one that did or is still under way. */
export function throwFailure(write: WriteRecord): void {
  const { status } = write;
  if (status === 'failed' || status === 'unknown' || status === 'cancelled') throw new WriteFailure(write);
}

function reasonOf({ status, error }: WriteRecord): WriteError {
  if (status === 'unknown') {
    const message = 'The write was sent, but its outcome is not known yet. Poll the write record.';
    return { code: 'SERVICE_OUTCOME_UNKNOWN', message, details: error ? [error] : [] };
  }
  if (status === 'cancelled') {
    return { code: 'SERVICE_WRITE_CANCELLED', message: 'The write was cancelled before it was sent.', details: [] };
  }
  return error ?? { code: 'SERVICE_INTERNAL', message: 'The write failed.', details: [] };
}
