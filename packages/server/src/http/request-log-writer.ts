import { ServiceError } from '@unified/contract';
import { failureLevel, type LoggedRequest } from '@unified/store';
import type { Logger } from 'pino';

export interface WriterLimits {
  /** Maximum number of requests that wait to be stored, at most half of them of one application; more are dropped. */
  readonly most: number;
  /** Number of requests that one statement stores. */
  readonly batch: number;
  /** Milliseconds that a request waits for others. */
  readonly everyMs: number;
}

const LIMITS: WriterLimits = { most: 10_000, batch: 1_000, everyMs: 1_000 };

/** Stores requests in the request log, in batches, after their responses. Requests never wait for it. */
export class RequestLogWriter {
  readonly #insert: (rows: readonly LoggedRequest[]) => Promise<void>;
  readonly #logger: Logger;
  readonly #limits: WriterLimits;
  #waiting: LoggedRequest[] = [];
  /** Number of waiting requests by application. */
  readonly #waitingOf = new Map<string, number>();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> | undefined;

  constructor(
    insert: (rows: readonly LoggedRequest[]) => Promise<void>,
    logger: Logger,
    limits: Partial<WriterLimits> = {},
  ) {
    this.#insert = insert;
    this.#logger = logger;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Adds a request, or drops it if too many are waiting in total or for its application. */
  add(request: LoggedRequest): void {
    const { applicationId } = request;
    const own = this.#waitingOf.get(applicationId) ?? 0;
    if (this.#waiting.length >= this.#limits.most || own >= this.#limits.most / 2) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(request);
    this.#waitingOf.set(applicationId, own + 1);
    if (this.#waiting.length === this.#limits.batch) this.#store();
    else this.#timer ??= this.#later();
  }

  /** Stores all waiting requests. Those that cannot be stored are dropped. */
  async close(): Promise<void> {
    await this.#storing;
    clearTimeout(this.#timer);
    await this.#storeBatches(1);
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
    this.#waitingOf.clear();
    this.#report();
  }

  #later(): NodeJS.Timeout {
    const store = () => {
      this.#timer = undefined;
      this.#store();
    };
    return setTimeout(store, this.#limits.everyMs).unref();
  }

  /** Stores the waiting requests. Those that arrive in the meantime wait for others, because small batches cost the most. */
  #store(): void {
    this.#storing ??= this.#storeBatches(this.#limits.batch).then((isStored) => {
      this.#storing = undefined;
      if (isStored && this.#waiting.length > 0) this.#timer ??= this.#later();
    });
  }

  /**
   * Stores a batch, and more while at least `least` requests are waiting. Resolves to false if the database is not available;
   * the next request then starts the timer again.
   */
  async #storeBatches(least: number): Promise<boolean> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, this.#limits.batch);
      try {
        await this.#insert(batch);
      } catch (err) {
        this.#logger[failureLevel(err)]({ err, waiting: this.#waiting.length }, 'request log cannot be stored');
        if (err instanceof ServiceError && err.code === 'SERVICE_UNAVAILABLE') return false;
        this.#dropped += batch.length;
      }
      this.#remove(batch);
      if (this.#waiting.length < least) break;
    }
    this.#report();
    return true;
  }

  /** Removes the first requests, which were the given batch. */
  #remove(batch: readonly LoggedRequest[]): void {
    this.#waiting.splice(0, batch.length);
    for (const { applicationId } of batch) {
      const others = (this.#waitingOf.get(applicationId) ?? 1) - 1;
      if (others > 0) this.#waitingOf.set(applicationId, others);
      else this.#waitingOf.delete(applicationId);
    }
  }

  #report(): void {
    if (this.#dropped === 0) return;
    this.#logger.warn({ dropped: this.#dropped }, 'request log is incomplete: requests were dropped');
    this.#dropped = 0;
  }
}
