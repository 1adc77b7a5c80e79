import { ServiceError } from '@unified/contract';

const LOST =
  'The database became unreachable while the write was queued or carried out. Read the write record: if there is none, nothing was or will be sent.';

/** The error for a write that may have been queued, when the database that knows is unreachable. */
export class WriteInDoubt extends ServiceError {
  readonly writeId: string;

  constructor(writeId: string, cause: ServiceError) {
    super('SERVICE_OUTCOME_UNKNOWN', LOST, { details: [{ writeId }], cause, retryAfter: 1 });
    this.writeId = writeId;
  }
}

/**
 * Runs work during which a write may have been queued; `queued` returns its id in that case. An unreachable database then does
 * not mean that nothing is carried out: throws `WriteInDoubt` instead of SERVICE_UNAVAILABLE.
 */
export async function orInDoubt<T>(queued: () => string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const writeId = queued();
    if (writeId === undefined || !(error instanceof ServiceError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
    throw new WriteInDoubt(writeId, error);
  }
}
