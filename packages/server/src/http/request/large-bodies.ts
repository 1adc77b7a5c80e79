import { ServiceError } from '@unified/contract';

/** Requests with large bodies that are received and handled at once: in total, and of one application. */
const MOST = 4;
const MOST_OF_ONE = 1;

/** Limits the memory for the bodies of operations that accept more than 1 MB. */
export class LargeBodies {
  readonly #owners: string[] = [];

  /**
   * Admits a request of an application. Returns a function that ends it. Throws SERVICE_UNAVAILABLE if too many others
   * have not ended.
   */
  enter(owner: string): () => void {
    const own = this.#owners.filter((each) => each === owner).length;
    if (own >= MOST_OF_ONE || this.#owners.length >= MOST) {
      const message = 'Another large body is being received. Send them one at a time.';
      throw new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 1 });
    }
    this.#owners.push(owner);
    return () => void this.#owners.splice(this.#owners.indexOf(owner), 1);
  }
}
