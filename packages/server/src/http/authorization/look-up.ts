import { ServiceError } from '@unified/contract';

/** Look-ups under way at the most. They end within a millisecond, unless the database hangs. */
const MOST_IN_FLIGHT = 1_000;
/** Milliseconds for which a database that was not reachable is not asked again. */
const PAUSE_MS = 1_000;

/**
 * Looks up what a key stands for. Look-ups of one key that are under way are one. While the database is not reachable it
 * is asked once a second, whatever the number of requests: these are not counted against a client, so they have to be
 * cheap. Rejects with SERVICE_UNAVAILABLE then.
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
  /** `name` stands for the key among those under way. */
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

/** Whether an error says nothing of the token, only that it could not be looked up. */
export function isUnavailable(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.code === 'SERVICE_UNAVAILABLE';
}

function overloaded(): ServiceError {
  return new ServiceError('SERVICE_UNAVAILABLE', 'Too many tokens are being looked up. Retry.', { retryAfter: 1 });
}
