import { ServiceError } from '@unified/contract';
import { Tally } from './tally.ts';

/** The memory of one response: what is expected of it while it is rendered, then what its reader has not taken yet. */
export class Share {
  /** The application that asked; empty for clients without a valid token. */
  readonly owner: string;
  bytes = 0;
  isRendering = false;
  /** Whether it fits beside the largest response of its application while both are rendered. */
  isSmall = false;

  constructor(owner: string) {
    this.owner = owner;
  }
}

export interface MemoryLimits {
  /** Bytes of all responses together. An application may use half of them. */
  readonly totalBytes: number;
  /** Bytes of all responses that are being rendered. An application may use a quarter of them. */
  readonly renderingBytes: number;
  /** Milliseconds that a read waits for memory at the most. */
  readonly waitMs: number;
  /** Milliseconds that a reader may be behind while others wait for memory. */
  readonly patienceUnderPressureMs: number;
}

/**
 * Breaks off the response whose reader is furthest behind, by `leastMs` at least; of this owner, or of any. Gives whether
 * there was one.
 */
export type BreakOff = (leastMs: number, owner?: string) => boolean;

interface Waiting {
  readonly share: Share;
  readonly bytes: number;
  /** When its turn has come, whatever the size of the others; see `OVERDUE`. */
  readonly overdueAt: number;
  readonly go: () => void;
}

/** Part of what an application may render at once that a single response can take. Small ones share the rest. */
const LARGEST_PART = 3 / 4;
/** Part of the longest wait after which a response goes before smaller ones. */
const OVERDUE = 1 / 2;
/** Requests that wait for memory. They hold next to nothing; beyond that, the next one would wait in vain. */
const MOST_WAITING = 1_000;

/** Bounds the memory of responses, in all and by application. */
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

  get hasWaiting(): boolean {
    return this.#waiting > 0;
  }

  /**
   * Reserves memory for a response that is to be rendered. Undefined: there is room. Otherwise the promise resolves when
   * there is, and rejects with SERVICE_UNAVAILABLE when there is none in time.
   */
  reserve(share: Share, expected: number): Promise<void> | undefined {
    // However large a response is, it can be rendered, and leaves room for small ones of the same application.
    const bytes = Math.min(expected, this.#limits.totalBytes / 2, this.#perOwner * LARGEST_PART);
    const isHeldUp =
      overdueOf(this.#queues.get(share.owner)) !== undefined && !this.#fitsBesideLargest(share.owner, bytes);
    if (isHeldUp || !this.#makeRoom(share.owner, bytes)) return this.#wait(share, bytes);
    this.#begin(share, bytes);
    return undefined;
  }

  /** Notes what a response takes now that it is rendered. */
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

  /** Breaks off responses whose readers are behind while more memory is held than there should be. */
  relieve(): void {
    while (this.#held.all > this.#limits.totalBytes && this.#breakOff(this.#limits.patienceUnderPressureMs));
  }

  /** Lets those go who find room now; the applications in turns. */
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

  /** Bytes that an application may render at once. */
  get #perOwner(): number {
    return this.#limits.renderingBytes / 4;
  }

  #fitsBesideLargest(owner: string, bytes: number): boolean {
    return this.#renderingSmall.of(owner) + bytes <= this.#perOwner * (1 - LARGEST_PART);
  }

  /**
   * The smallest goes first, so that many large pages that one client asks for at once do not keep the small ones of others
   * waiting. Once the oldest is overdue, small ones leave it the room of the largest response.
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

  /** Whether there is room, after readers who are behind have been broken off where that helps. */
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

  /** However well its readers keep up, no application keeps memory from one that would have less than it. */
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
      // Those that came together do not end together, which would hold up everything else for a while.
      const timer = setTimeout(expire, this.#limits.waitMs * (0.8 + 0.2 * Math.random()));
      queue.add(waiting);
      this.#waiting += 1;
    });
  }
}

/** The one that has waited longest, once it is overdue. */
function overdueOf([oldest]: Iterable<Waiting> = []): Waiting | undefined {
  return oldest && oldest.overdueAt <= performance.now() ? oldest : undefined;
}

function smallestOf(queue: ReadonlySet<Waiting>): Waiting | undefined {
  let smallest: Waiting | undefined;
  for (const each of queue) if (!smallest || each.bytes < smallest.bytes) smallest = each;
  return smallest;
}

function busy(): ServiceError {
  const message = 'Too many responses wait to be read. Read those that you asked for, then retry.';
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 1 });
}
