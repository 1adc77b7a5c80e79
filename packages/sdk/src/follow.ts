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

interface Followed extends FollowOptions {
  readonly synced?: boolean;
  /** Key of the request. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Polls a write record until the write has succeeded, at most every 2 seconds; with `synced`, until the record in the
 * service also shows the result.
 *
 * @throws {ServiceError} With the code of the write if it failed or was cancelled; `CLIENT_TIMEOUT` if the outcome was not
 * known in time. Both have the `writeId`, and the `idempotencyKey` if it is given.
 */
export async function follow(
  api: Api,
  writeId: string,
  { timeoutMs = api.timeoutMs, signal, synced = false, idempotencyKey }: Followed,
): Promise<WriteRecord> {
  const late = deadline(timeoutMs);
  const ends = signal ? AbortSignal.any([signal, late]) : late;
  const path = `/writes/${pathSegment(writeId)}`;
  try {
    for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
      const write = (await api.call({ method: 'get', path, signal: ends })).body as WriteRecord;
      if (write.status === 'failed' || write.status === 'cancelled') throw failed(write, idempotencyKey);
      if (write.status === 'succeeded' && (write.synced || !synced)) return write;
      await api.delay(pause, ends);
    }
  } catch (error) {
    if (!late.aborted || error !== late.reason) throw error;
    const facts = { writeId, idempotencyKey };
    throw new ServiceError('CLIENT_TIMEOUT', 'The outcome of the write was not known in time.', facts);
  }
}

function failed({ writeId, status, error }: WriteRecord, idempotencyKey: string | undefined): ServiceError {
  const facts = { writeId, idempotencyKey };
  if (error)
    return new ServiceError(error.code, error.message, { status: error.status, details: error.details, ...facts });
  return new ServiceError('SERVICE_WRITE_CANCELLED', `The write is ${status}.`, { status: 409, ...facts });
}
