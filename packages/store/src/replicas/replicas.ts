import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { PrimaryLog } from './primary-log.ts';
import { Replica, type ReplicaLimits, type ReplicaState } from './replica.ts';
import { bytesBetween, type WalPosition } from './wal-position.ts';

export interface ReplicaOptions {
  /** `postgres://…` of each replica, with the user of the primary. */
  readonly urls: readonly string[];
  /** A replica that lags by more milliseconds is not used. */
  readonly maxLagMs: number;
  /** Milliseconds after which a replica that does not respond counts as gone; 2,000 by default. */
  readonly timeoutMs?: number;
  /** Called when a replica begins to be used, and when it no longer is. */
  readonly onState?: ((state: ReplicaState) => void) | undefined;
}

/** How a replica is used, for metrics. */
export interface ReplicaUse extends ReplicaState {
  /** Bytes of the log that it had not replayed at the last check; undefined if unknown. */
  readonly lagBytes: number | undefined;
  /** Reads that it has served for this process. */
  readonly reads: number;
}

/** Milliseconds between two checks. */
const EVERY_MS = 1_000;
/** Longest time between two checks of a replica that cannot be reached, in milliseconds. */
const LONGEST_MS = 10_000;
/** Longest time that a read waits to learn what a replica has replayed, in milliseconds. */
const PATIENCE_MS = 100;

/**
 * Chooses where reads run. Checks in the background determine which replicas can be used, and what they have replayed, so that
 * choosing one needs no statement, except when a read needs more than the last check has seen.
 */
export class Replicas {
  readonly #all: readonly Replica[];
  readonly #primary: PrimaryLog;
  readonly #closing = new AbortController();
  #turn = 0;

  constructor(options: ReplicaOptions, given: Omit<ReplicaLimits, 'timeoutMs'>, owner: pg.Pool) {
    const { urls, maxLagMs, timeoutMs = 2_000, onState = () => {} } = options;
    const limits = { ...given, timeoutMs };
    const primary = new PrimaryLog(maxLagMs);
    this.#primary = primary;
    this.#all = urls.map((url, index) => new Replica({ number: index + 1, url }, limits, { primary, onState }));
    // Never rejects.
    void this.#start(owner);
  }

  /**
   * A replica that has replayed `after`, or any if it is undefined; the replicas take turns. Undefined if there is none, which
   * means the primary.
   */
  async choose(after: WalPosition | undefined): Promise<Replica | undefined> {
    const used = this.#all.filter((replica) => replica.isUsed);
    const reached = after === undefined ? used : used.filter(({ replayed }) => replayed >= after);
    if (reached.length > 0 || after === undefined) return reached[this.#turn++ % reached.length];
    const [first, ...others] = used;
    if (!first) return undefined;
    const newest = others.reduce((best, each) => (each.replayed > best.replayed ? each : best), first);
    return (await soon(newest.hasReached(after))) ? newest : undefined;
  }

  /** From now on, replicas that have not replayed this position are not used. */
  requireAtLeast(position: WalPosition): void {
    this.#primary.requireAtLeast(position);
  }

  use(): ReplicaUse[] {
    const { latest } = this.#primary;
    return this.#all.map(({ number, problem, replayed, reads }) => ({
      ...{ number, problem, reads },
      lagBytes: replayed === '' ? undefined : bytesBetween(replayed, latest),
    }));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#all.map((replica) => replica.close()));
  }

  /** The primary is read first, because replicas are compared with it. */
  async #start(owner: pg.Pool): Promise<void> {
    const { signal } = this.#closing;
    const read = () => this.#primary.read(owner);
    await read().catch(() => {});
    const checks = this.#all.map((replica) => repeat(() => replica.check(), signal));
    await Promise.all([repeat(read, signal), ...checks]);
  }
}

/** Repeats `work` until the signal aborts, with exponential backoff and jitter while it fails. */
async function repeat(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  for (let failures = 0; !signal.aborted; ) {
    failures = await work().then(
      () => 0,
      () => failures + 1,
    );
    const wait = Math.min(EVERY_MS * 2 ** failures, LONGEST_MS);
    // Rejects only when the wait is aborted.
    await pause(wait * (0.75 + Math.random() / 4), undefined, { signal, ref: false }).catch(() => {});
  }
}

/** The value of a promise; undefined if it takes longer than a read waits. */
async function soon<T>(awaited: Promise<T>): Promise<T | undefined> {
  const late = new AbortController();
  const timeout = pause(PATIENCE_MS, undefined, { signal: late.signal, ref: false }).catch(() => undefined);
  try {
    return await Promise.race([awaited, timeout]);
  } finally {
    late.abort();
  }
}
