import type { Api } from './api.ts';
import type { CallOptions, WriteRecord } from './calls.ts';
import { deadline } from './deadline.ts';
import { pathSegment } from './path-segment.ts';
import { ServiceError } from './service-error.ts';

const FIRST_PAUSE = 200;
const LONGEST_PAUSE = 2_000;

export interface FollowOptions extends CallOptions {
  /** Milliseconds to wait for the outcome; by default the `timeoutMs` of the client. */
  readonly timeoutMs?: number | undefined;
}

/**
 * Polls a write record until the write has succeeded, at most every 2 seconds; with `synced`, until the record in the
 * service also shows the result.
 *
 * @throws {ServiceError} With the code of the write if it failed or was cancelled; `CLIENT_TIMEOUT` if the outcome was not
 * known in time. Both have the `writeId`.
 */
export async function follow(
  api: Api,
  writeId: string,
  { timeoutMs = api.timeoutMs, signal, synced = false }: FollowOptions & { readonly synced?: boolean },
): Promise<WriteRecord> {
  const late = deadline(timeoutMs);
  const ends = signal ? AbortSignal.any([signal, late]) : late;
  const path = `/writes/${pathSegment(writeId)}`;
  try {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
      const write = (await api.call({ method: 'get', path, signal: ends })).body as WriteRecord;
      if (write.status === 'failed' || write.status === 'cancelled') throw failed(write);
      if (write.status === 'succeeded' && (write.synced || !synced)) return write;
      await api.delay(pause, ends);
    }
  } catch (error) {
    if (!late.aborted || error !== late.reason) throw error;
    throw new ServiceError('CLIENT_TIMEOUT', 'The outcome of the write was not known in time.', { writeId });
  }
}

function failed({ writeId, status, error }: WriteRecord): ServiceError {
  if (error)
    return new ServiceError(error.code, error.message, { status: error.status, details: error.details, writeId });
  return new ServiceError('SERVICE_WRITE_CANCELLED', `The write is ${status}.`, { status: 409, writeId });
}
