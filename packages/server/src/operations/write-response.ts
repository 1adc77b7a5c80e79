import { addressOf, ServiceError } from '@unified/contract';
import type { StoredError, WriteRecord } from '@unified/store';

/** The result of an operation on a write. */
interface Acted {
  readonly write: WriteRecord;
  readonly replayed: boolean;
}

/** The response to an operation on a write: 202 while the write is unfinished; 200 otherwise, and for a replay. */
export function writeResponse({ write, replayed }: Acted) {
  const headers = writeHeaders(write.writeId, write.warnings.length);
  if (replayed) return { status: 200, body: write, headers: { ...headers, 'Idempotency-Replayed': 'true' } } as const;
  if (write.finishedAt !== null) return { status: 200, body: write, headers } as const;
  const { writeId } = write;
  return { status: 202, body: write, headers: { ...headers, Location: addressOf('getWrite', { writeId }) } } as const;
}

/**
 * Headers of the response to a write request or its replay: the id of the write record and the number of its warnings.
 * The body may not contain them.
 */
export function writeHeaders(writeId: string, warnings: number): Record<string, string> {
  return { 'Write-Id': writeId, ...(warnings > 0 && { 'Write-Warnings': String(warnings) }) };
}

/** The error for a write that failed, or whose outcome is unknown, with the id of its write record. */
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

/** Throws a `WriteFailure` for a write that did not succeed; returns if it succeeded or is in progress. */
export function throwFailure(write: WriteRecord): void {
  const { status } = write;
  if (status === 'failed' || status === 'unknown' || status === 'cancelled') throw new WriteFailure(write);
}

function reasonOf({ status, error }: WriteRecord): StoredError {
  if (status === 'unknown') {
    const message = 'The write was sent, but its outcome is not known yet. Poll the write record.';
    return { code: 'SERVICE_OUTCOME_UNKNOWN', message, details: error ? [error] : [] };
  }
  if (status === 'cancelled') {
    return { code: 'SERVICE_WRITE_CANCELLED', message: 'The write was cancelled before it was sent.', details: [] };
  }
  return error ?? { code: 'SERVICE_INTERNAL', message: 'The write failed.', details: [] };
}
