import { ServiceError } from '@unified/contract';
import type { WriteRecord } from '@unified/store';

/** A write that is known not to have succeeded, or not known to have: its error, and where to read more. */
export class WriteFailure extends ServiceError {
  readonly writeId: string;

  constructor({ writeId, status, error }: WriteRecord) {
    const { code, message, details } = error ?? reasonOf(status);
    super(code, message, { details: [{ writeId }, ...details] });
    this.writeId = writeId;
  }
}

/** Throws the `WriteFailure` of a write that did not succeed; returns for one that did or is still under way. */
export function throwFailure(write: WriteRecord): void {
  if (write.status === 'failed' || write.status === 'unknown' || write.status === 'cancelled')
    throw new WriteFailure(write);
}

function reasonOf(status: WriteRecord['status']) {
  if (status === 'unknown') {
    const message = 'The write was sent, but its outcome is not known yet. Poll the write record.';
    return { code: 'SERVICE_OUTCOME_UNKNOWN', message, details: [] } as const;
  }
  if (status === 'cancelled') {
    return {
      code: 'SERVICE_WRITE_STATE',
      message: 'The write was cancelled before it was sent.',
      details: [],
    } as const;
  }
  return { code: 'SERVICE_INTERNAL', message: 'The write failed.', details: [] } as const;
}
