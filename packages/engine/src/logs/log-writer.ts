import { ServiceError } from '@unified/contract';
import { failureLevel } from '@unified/store';
import type { Logger } from 'pino';

export interface WriterLimits {
  /** Maximum number of entries that wait to be stored, at most half of them of one application; more are dropped. */
  readonly most: number;
  /** Number of entries that one statement stores. */
  readonly batch: number;
  /** Milliseconds that an entry waits for others. */
  readonly everyMs: number;
}

const LIMITS: WriterLimits = { most: 10_000, batch: 1_000, everyMs: 1_000 };

/** Stores entries of a log in batches, later: nothing waits for it. `name` is that of the log, in warnings. */
export class LogWriter<Row extends { readonly applicationId: string }> {
  readonly #name: string;
  readonly #insert: (rows: readonly Row[]) => Promise<void>;
  readonly #logger: Logger;
  readonly #limits: WriterLimits;
  #waiting: Row[] = [];
  /** Number of waiting entries by application. */
  readonly #waitingOf = new Map<string, number>();
  #dropped = 0;
  #timer: NodeJS.Timeout | undefined;
  #storing: Promise<void> | undefined;

  constructor(
    name: string,
    insert: (rows: readonly Row[]) => Promise<void>,
    logger: Logger,
    limits: Partial<WriterLimits> = {},
  ) {
    this.#name = name;
    this.#insert = insert;
    this.#logger = logger;
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Adds an entry, or drops it if too many are waiting in total or for its application. */
  add(row: Row): void {
    const { applicationId } = row;
    const own = this.#waitingOf.get(applicationId) ?? 0;
    if (this.#waiting.length >= this.#limits.most || own >= this.#limits.most / 2) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(row);
    this.#waitingOf.set(applicationId, own + 1);
    if (this.#waiting.length === this.#limits.batch) this.#store();
    else this.#timer ??= this.#later();
  }

  /** Stores all waiting entries. Those that cannot be stored are dropped. */
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

  /** Stores the waiting entries. Those that arrive in the meantime wait for others, because small batches cost the most. */
  #store(): void {
    this.#storing ??= this.#storeBatches(this.#limits.batch).then((isStored) => {
      this.#storing = undefined;
      if (isStored && this.#waiting.length > 0) this.#timer ??= this.#later();
    });
  }

  /**
   * Stores a batch, and more while at least `least` entries are waiting. Resolves to false if the database is not available;
   * the next entry then starts the timer again.
   */
  async #storeBatches(least: number): Promise<boolean> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, this.#limits.batch);
      try {
        await this.#insert(batch);
      } catch (err) {
        this.#logger[failureLevel(err)]({ err, waiting: this.#waiting.length }, `${this.#name} cannot be stored`);
        if (err instanceof ServiceError && err.code === 'SERVICE_UNAVAILABLE') return false;
        this.#dropped += batch.length;
      }
      this.#remove(batch);
      if (this.#waiting.length < least) break;
    }
    this.#report();
    return true;
  }

  /** Removes the first entries, which were the given batch. */
  #remove(batch: readonly Row[]): void {
    this.#waiting.splice(0, batch.length);
    for (const { applicationId } of batch) {
      const others = (this.#waitingOf.get(applicationId) ?? 1) - 1;
      if (others > 0) this.#waitingOf.set(applicationId, others);
      else this.#waitingOf.delete(applicationId);
    }
  }

  #report(): void {
    if (this.#dropped === 0) return;
    this.#logger.warn({ dropped: this.#dropped }, `${this.#name} is incomplete: entries were dropped`);
    this.#dropped = 0;
  }
}
