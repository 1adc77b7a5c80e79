/** What a proxy does to one request or, on a database connection, to some of the data. */
export type Fault =
  | 'latency'
  | 'reset-before'
  | 'reset-after'
  | 'throttled'
  | 'error-500'
  | 'error-503'
  | 'error-504-after'
  | 'truncated'
  | 'html'
  | 'html-after'
  | 'reordered'
  | 'repeated';

/** The rows of a page are in a different order. */
export const reordered: Fault = 'reordered';

/** Faults in HTTP responses. With `…-after`, `truncated` and `reordered`, the system has carried out the request. */
export const httpFaults: readonly Fault[] = [
  ...(['latency', 'reset-before', 'reset-after', 'throttled', 'error-500', 'error-503', 'error-504-after'] as const),
  ...(['truncated', 'html', 'html-after'] as const),
  reordered,
];

/**
 * The page before is returned instead of the requested one, as by a cache. Not one of `httpFaults`, because a client cannot
 * detect it in every API.
 */
export const repeated: Fault = 'repeated';

/** Faults of a connection to a database. */
export const tcpFaults: readonly Fault[] = ['latency', 'reset-before', 'reset-after', 'truncated'];

export interface FaultPlanOptions {
  /** The same seed produces the same sequence of faults. */
  readonly seed: number;
  readonly faults: readonly Fault[];
  /** Share of requests with a fault, from 0 to 1. */
  readonly share: number;
}

/** Maximum number of consecutive faults: fewer than the attempts of a client. */
const MOST_IN_A_ROW = 2;

/** Decides for each request in turn whether it fails, and how. */
export class FaultPlan {
  /** Faults that had an effect so far, in order. */
  readonly injected: Fault[] = [];
  readonly #random: () => number;
  readonly #options: FaultPlanOptions;
  #inARow = 0;

  constructor(options: FaultPlanOptions) {
    this.#options = options;
    this.#random = randomFrom(options.seed);
  }

  /** The fault of the next request; null if it has none. */
  next(): Fault | null {
    const { faults, share } = this.#options;
    const [isFaulty, which] = [this.#random() < share, this.#random()];
    const fault = isFaulty && this.#inARow < MOST_IN_A_ROW ? faults[Math.floor(which * faults.length)] : undefined;
    this.#inARow = fault === undefined ? 0 : this.#inARow + 1;
    return fault ?? null;
  }

  /** Counts a fault that had an effect: a response without rows, for example, cannot be reordered. */
  note(fault: Fault): void {
    this.injected.push(fault);
  }
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
