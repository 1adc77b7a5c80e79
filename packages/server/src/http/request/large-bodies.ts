import { ServiceError } from '@unified/contract';

/**
 * Maximum number of requests with large bodies that are received and handled at the same time, in total and per application.
 */
const MOST = 4;
const MOST_OF_ONE = 1;

/** Limits the memory used for the bodies of operations that accept more than 1 MB. */
export class LargeBodies {
  readonly #open = new Set<{ readonly owner: string }>();

  /**
   * Admits a request of an application. Returns a function to call when the request has ended. Throws SERVICE_UNAVAILABLE if
   * too many others are still in progress.
   */
  enter(owner: string): () => void {
    const own = [...this.#open].filter((each) => each.owner === owner).length;
    if (own >= MOST_OF_ONE || this.#open.size >= MOST) {
      const message = 'Another large body is being received. Send them one at a time.';
      throw new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 1 });
    }
    const body = { owner };
    this.#open.add(body);
    return () => void this.#open.delete(body);
  }
}
