import { ServiceError } from '@unified/contract';
import { failureLevel, type LoggedRequest } from '@unified/store';
import type { Logger } from 'pino';

export interface WriterLimits {
  /** Requests that wait to be stored; further ones are dropped. */
  readonly most: number;
  /** Requests that are stored by one statement. */
  readonly batch: number;
  /** Milliseconds for which a request waits for others. */
  readonly everyMs: number;
}

const LIMITS: WriterLimits = { most: 10_000, batch: 1_000, everyMs: 1_000 };

/** Stores requests in the request log, in batches, after their responses. Requests never wait for it. */
export class RequestLogWriter {
  readonly #insert: (rows: readonly LoggedRequest[]) => Promise<void>;
  readonly #logger: Logger;
  readonly #limits: WriterLimits;
  #waiting: LoggedRequest[] = [];
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

  /** Adds a request, or drops it if too many are waiting. */
  add(request: LoggedRequest): void {
    if (this.#waiting.length >= this.#limits.most) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(request);
    if (this.#waiting.length === this.#limits.batch) this.#store();
    else this.#timer ??= this.#later();
  }

  /** Stores all waiting requests. Those that cannot be stored are dropped. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#storing;
    await this.#storeWaiting();
    this.#dropped += this.#waiting.length;
    this.#waiting = [];
    this.#report();
  }

  #later(): NodeJS.Timeout {
    const store = () => {
      this.#timer = undefined;
      this.#store();
    };
    return setTimeout(store, this.#limits.everyMs).unref();
  }

  #store(): void {
    this.#storing ??= this.#storeWaiting().finally(() => {
      this.#storing = undefined;
    });
  }

  /** Stores batches until none is left, or the database is not available: then the next request starts the timer again. */
  async #storeWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, this.#limits.batch);
      try {
        await this.#insert(batch);
      } catch (err) {
        this.#logger[failureLevel(err)]({ err, waiting: this.#waiting.length }, 'request log cannot be stored');
        if (err instanceof ServiceError && err.code === 'SERVICE_UNAVAILABLE') return;
        this.#dropped += batch.length;
      }
      this.#waiting.splice(0, batch.length);
    }
    this.#report();
  }

  #report(): void {
    if (this.#dropped === 0) return;
    this.#logger.warn({ dropped: this.#dropped }, 'request log is incomplete: requests were dropped');
    this.#dropped = 0;
  }
}
