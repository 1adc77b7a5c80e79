import { ServiceError } from '@unified/contract';

/** Maximum number of concurrent look-ups. They end within a millisecond unless the database hangs. */
const MOST_IN_FLIGHT = 1_000;
/** Milliseconds until the database is queried again after it was not reachable. */
const PAUSE_MS = 1_000;

/**
 * Looks up keys. Concurrent look-ups of one key share a query. While the database is not reachable, it is queried once
 * a second and other look-ups reject with SERVICE_UNAVAILABLE: these requests are not rate limited, so they must be
 * cheap.
 */
export function createLookUp<Found>(ask: (key: string) => Promise<Found>) {
  const inFlight = new Map<string, Promise<Found>>();
  let unavailable: { readonly error: ServiceError; readonly until: number } | undefined;
  const begin = async (name: string, key: string): Promise<Found> => {
    try {
      const found = await ask(key);
      unavailable = undefined;
      return found;
    } catch (error) {
      if (isUnavailable(error)) unavailable = { error, until: performance.now() + PAUSE_MS };
      throw error;
    } finally {
      inFlight.delete(name);
    }
  };
  /** `name` identifies the key among the concurrent look-ups. */
  return (name: string, key: string): Promise<Found> => {
    const same = inFlight.get(name);
    if (same) return same;
    if (unavailable && performance.now() < unavailable.until) return Promise.reject(unavailable.error);
    if (inFlight.size >= MOST_IN_FLIGHT) return Promise.reject(overloaded());
    const asked = begin(name, key);
    inFlight.set(name, asked);
    return asked;
  };
}

/** Whether an error means that the token could not be looked up, and may be valid. */
export function isUnavailable(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE';
}

function overloaded(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'Too many tokens are being looked up. Retry.', { retryAfter: 1 });
}
