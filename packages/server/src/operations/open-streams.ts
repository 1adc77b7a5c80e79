import { ServiceError } from '@unified/contract';

/** Maximum number of streams that one application can have open in this process. */
const MOST_STREAMS = 100;
/** Seconds after which a refused client may retry. */
const RETRY_AFTER = 30;

/** The streams of this process, which stay open until their clients leave. */
export interface OpenStreams {
  /** Number of all streams. */
  count(): number;
  /** Counts a stream of an application until `ending` aborts. Throws SERVICE_RATE_LIMITED if the application has too many. */
  open(applicationId: string, ending: AbortSignal): void;
}

export function createOpenStreams(most = MOST_STREAMS): OpenStreams {
  const streams = new Map<string, number>();
  const add = (applicationId: string, count: number) => {
    const sum = (streams.get(applicationId) ?? 0) + count;
    if (sum > 0) streams.set(applicationId, sum);
    else streams.delete(applicationId);
  };
  return {
    count: () => [...streams.values()].reduce((sum, count) => sum + count, 0),
    open(applicationId, ending) {
      if ((streams.get(applicationId) ?? 0) >= most) throw tooMany(most);
      if (ending.aborted) return;
      add(applicationId, 1);
      ending.addEventListener('abort', () => add(applicationId, -1), { once: true });
    },
  };
}

function tooMany(most: number): ServiceError {
  const message = `The application has ${most} open streams, and cannot open another one. Close one of them, then retry.`;
  return new ServiceError('SERVICE_RATE_LIMITED', message, { retryAfter: RETRY_AFTER });
}
