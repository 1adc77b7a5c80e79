import { ServiceError } from '@unified/contract';
import { LRUCache } from 'lru-cache';
import { Tally } from './tally.ts';

/**
 * The memory of one response: its expected size while it is rendered, then the bytes that its reader has not received.
 */
export class Share {
  /** The application of the request; empty for clients without a valid token. */
  readonly owner: string;
  bytes = 0;
  isRendering = false;
  /** Whether it fits in memory next to the largest response of its application while both are being rendered. */
  isSmall = false;

  constructor(owner: string) {
    this.owner = owner;
  }
}

export interface MemoryLimits {
  /** Maximum number of bytes of all responses together. An application may use half of them. */
  readonly totalBytes: number;
  /** Maximum number of bytes of all responses that are being rendered. An application may use a quarter of them. */
  readonly renderingBytes: number;
  /** Maximum time in milliseconds that a read waits for memory. */
  readonly waitMs: number;
  /** Milliseconds that a reader may lag while others wait for memory. */
  readonly patienceUnderPressureMs: number;
}

/**
 * Disconnects the reader with the greatest lag, of `owner` or of all owners, if it lags by at least `leastMs`. Returns whether
 * there was one.
 */
export type BreakOff = (leastMs: number, owner?: string) => boolean;

interface Waiting {
  readonly share: Share;
  readonly bytes: number;
  /** When it starts to take precedence over smaller responses; see `OVERDUE`. */
  readonly overdueAt: number;
  readonly go: () => void;
}

/** Fraction of an application's rendering memory that one response can use. Small responses share the rest. */
const LARGEST_PART = 3 / 4;
/** Fraction of the maximum wait after which a response takes precedence over smaller ones. */
const OVERDUE = 1 / 2;
/** Maximum number of requests that wait for memory. Waiting costs almost nothing, but more requests would wait too long. */
const MOST_WAITING = 1_000;

/** Limits the memory of responses, in total and per application. */
export class ResponseMemory {
  readonly #limits: MemoryLimits;
  readonly #breakOff: BreakOff;
  readonly #held = new Tally();
  readonly #rendering = new Tally();
  readonly #renderingSmall = new Tally();
  readonly #queues = new Map<string, Set<Waiting>>();
  #waiting = 0;
  #isGranting = false;

  constructor(limits: MemoryLimits, breakOff: BreakOff) {
    this.#limits = limits;
    this.#breakOff = breakOff;
  }

  get heldBytes(): number {
    return this.#held.all;
  }

  get hasWaiting(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Reserves memory for a response that will be rendered. Returns undefined if there is room. Otherwise, returns a promise that
   * resolves when there is room, and rejects with SERVICE_UNAVAILABLE if there is none in time.
   */
  reserve(share: Share, expected: number): Promise<void> | undefined {
    // A response of any size can be rendered, and leaves room for small ones of the same application.
    const bytes = Math.min(expected, this.#limits.totalBytes / 2, this.#perOwner * LARGEST_PART);
    const isHeldUp =
      overdueOf(this.#queues.get(share.owner)) !== undefined && !this.#fitsBesideLargest(share.owner, bytes);
    if (isHeldUp || !this.#makeRoom(share.owner, bytes)) return this.#wait(share, bytes);
    this.#begin(share, bytes);
    return undefined;
  }

  /** Sets the actual size of a response after it was rendered. */
  resize(share: Share, bytes: number): void {
    if (share.isRendering) this.#rendering.add(share.owner, -share.bytes);
    if (share.isSmall) this.#renderingSmall.add(share.owner, -share.bytes);
    const isLess = share.isRendering || bytes < share.bytes;
    share.isRendering = false;
    share.isSmall = false;
    this.#held.add(share.owner, bytes - share.bytes);
    share.bytes = bytes;
    if (isLess && this.#waiting > 0) this.grant();
  }

  /** Disconnects lagging readers while more memory is in use than allowed. */
  relieve(): void {
    while (this.#held.all > this.#limits.totalBytes && this.#breakOff(this.#limits.patienceUnderPressureMs));
  }

  /** Grants memory to waiting requests while there is room, one application after another. */
  grant(): void {
    if (this.#isGranting) return;
    this.#isGranting = true;
    try {
      while ([...this.#queues.values()].filter((queue) => this.#grantNext(queue)).length > 0);
    } finally {
      this.#isGranting = false;
    }
  }

  #begin(share: Share, bytes: number): void {
    share.bytes = bytes;
    share.isRendering = true;
    share.isSmall = bytes <= this.#perOwner * (1 - LARGEST_PART);
    this.#held.add(share.owner, bytes);
    this.#rendering.add(share.owner, bytes);
    if (share.isSmall) this.#renderingSmall.add(share.owner, bytes);
  }

  /** Bytes that an application may render concurrently. */
  get #perOwner(): number {
    return this.#limits.renderingBytes / 4;
  }

  #fitsBesideLargest(owner: string, bytes: number): boolean {
    return this.#renderingSmall.of(owner) + bytes <= this.#perOwner * (1 - LARGEST_PART);
  }

  /**
   * The smallest request comes first, so that many large pages of one client do not delay the small ones of others. Once the
   * oldest request is overdue, small ones leave room for the largest response.
   */
  #grantNext(queue: Set<Waiting>): boolean {
    const overdue = overdueOf(queue);
    if (overdue && this.#grantTo(overdue)) return true;
    const smallest = smallestOf(queue);
    if (!smallest || (overdue && !this.#fitsBesideLargest(smallest.share.owner, smallest.bytes))) return false;
    return this.#grantTo(smallest);
  }

  #grantTo({ share, bytes, go }: Waiting): boolean {
    if (!this.#makeRoom(share.owner, bytes)) return false;
    this.#begin(share, bytes);
    go();
    return true;
  }

  /** Whether there is room; disconnects lagging readers if that helps. */
  #makeRoom(owner: string, bytes: number): boolean {
    const { totalBytes, renderingBytes, patienceUnderPressureMs: patience } = this.#limits;
    if (!this.#rendering.hasRoom(owner, bytes, this.#perOwner, renderingBytes)) return false;
    for (;;) {
      if (this.#held.hasRoom(owner, bytes, totalBytes / 2, totalBytes)) return true;
      const own = this.#held.of(owner);
      const isOverShare = own > 0 && own + bytes > totalBytes / 2;
      const isBroken = isOverShare
        ? this.#breakOff(patience, owner)
        : this.#breakOff(patience) || this.#breakOffGreediest(own + bytes);
      if (!isBroken) return false;
    }
  }

  /** An application must not deny memory to one that uses less, however well its readers keep up. */
  #breakOffGreediest(wanted: number): boolean {
    const { owner, bytes } = this.#held.greatest();
    return bytes > wanted && this.#breakOff(0, owner);
  }

  #wait(share: Share, bytes: number): Promise<void> {
    if (this.#waiting >= MOST_WAITING) throw busy();
    return new Promise((resolve, reject) => {
      const queue = this.#queues.get(share.owner) ?? new Set();
      this.#queues.set(share.owner, queue);
      const leave = () => {
        clearTimeout(timer);
        queue.delete(waiting);
        if (queue.size === 0) this.#queues.delete(share.owner);
        this.#waiting -= 1;
      };
      const overdueAt = performance.now() + this.#limits.waitMs * OVERDUE;
      const waiting: Waiting = { share, bytes, overdueAt, go: () => resolve(leave()) };
      const expire = () => {
        leave();
        reject(busy());
      };
      // The timeouts are spread out, since many at the same time would block the event loop.
      const timer = setTimeout(expire, this.#limits.waitMs * (0.8 + 0.2 * Math.random()));
      queue.add(waiting);
      this.#waiting += 1;
    });
  }
}

/** The request that has waited longest, if it is overdue. */
function overdueOf([oldest]: Iterable<Waiting> = []): Waiting | undefined {
  return oldest && oldest.overdueAt <= performance.now() ? oldest : undefined;
}

function smallestOf(queue: ReadonlySet<Waiting>): Waiting | undefined {
  let smallest: Waiting | undefined;
  for (const each of queue) if (!smallest || each.bytes < smallest.bytes) smallest = each;
  return smallest;
}

function busy(): ServiceError {
  const message = 'Too many responses wait to be read. Read those that you requested, then retry.';
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 1 });
}

/** Predicts from earlier responses how much memory it takes to render one. */
export interface ResponseSizes {
  /** Expected number of bytes for a response with this number of records. */
  expected(kind: string, records: number): number;
  /** Records the actual size in bytes of a rendered response. */
  learn(kind: string, records: number, bytes: number): void;
}

/** Bytes per record before the first response. */
const FIRST = 4_000;
/** Lower limit, so that pages with few records do not lead to a low estimate for a full page. */
const LEAST = 1_000;
/** A response is in memory three times: the rows from PostgreSQL, the joined text, and the bytes sent. */
const COPIES = 3;
/** Rate at which an estimate decreases towards smaller sizes. */
const FADING = 1 / 16;
const MOST_REMEMBERED = 10_000;

/** Keeps estimates only for the most recently used kinds. */
export function responseSizes(): ResponseSizes {
  const perRecord = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  return {
    expected: (kind, records) => COPIES * records * Math.max(LEAST, perRecord.get(kind) ?? FIRST),
    learn(kind, records, bytes) {
      const now = bytes / records;
      const before = perRecord.get(kind) ?? 0;
      perRecord.set(kind, now >= before ? now : before - (before - now) * FADING);
    },
  };
}
