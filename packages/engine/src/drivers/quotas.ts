import { SystemError } from '@unified/connectors';
import { inSpan } from '@unified/tracing';

/** Priorities of concurrent calls of one account, highest first. */
const PRIORITIES = ['write', 'read', 'sync'] as const;

export type Priority = (typeof PRIORITIES)[number];

/** A pause that a connected system requested: the kind of error, and the remaining seconds. */
export interface Pause {
  readonly kind: 'throttled' | 'unavailable';
  readonly seconds: number;
}

/** A pause that has not ended. */
export interface CurrentPause extends Pause {
  /** RFC 3339. */
  readonly until: string;
}

/** The right to make one call; released when the call has ended. */
export interface QuotaLease {
  release(): Promise<void>;
}

/** How much of its calls an account uses. */
export interface QuotaUsage {
  readonly callsAtOnce: number;
  readonly inProgress: number;
}

/**
 * Divides the calls that connected systems allow, by account: one user of one system, whatever the connection. All methods are
 * asynchronous, so that an implementation can share its state between processes.
 */
export interface Quotas {
  /** Resolves when it is the call's turn. */
  acquire(account: string, priority: Priority): Promise<QuotaLease>;
  /** Stops calls for this many seconds. A current pause that ends later is kept. */
  pause(account: string, pause: Pause): Promise<void>;
  /** The current pauses of those of the accounts that have one. */
  pausesOf(accounts: readonly string[]): Promise<ReadonlyMap<string, CurrentPause>>;
  /**
   * Ends the pause of an account, and returns whether there was one. Call it only after the system has accepted a call during the
   * pause.
   */
  resume(account: string): Promise<boolean>;
  /** How much of its calls an account uses now. */
  usage(account: string): Promise<QuotaUsage>;
}

/** The quota of one connected system. */
export interface SystemQuota {
  /**
   * Runs `call` when it is its turn. During a pause, throws a `SystemError` of the kind of the pause with the remaining
   * seconds, without calling the system.
   */
  run<T>(priority: Priority, call: () => Promise<T>): Promise<T>;
  /** Stops calls for a pause that the system requested in a response. */
  pause(pause: Pause): Promise<void>;
  /** Seconds until the system may be called again; 0 means now. */
  pausedFor(): Promise<number>;
  /** The same quota, for calls that are part of this. */
  about(part: CallPart): SystemQuota;
  /** How much of it is used, and the current pause. */
  usage(): Promise<QuotaUsage & { readonly pause: CurrentPause | undefined }>;
}

/** What a call is part of. */
export interface CallPart {
  readonly platform?: string;
  readonly connectionId?: string;
  readonly stream?: string | undefined;
  readonly writeId?: string;
  /** Start of a sync run, RFC 3339. */
  readonly syncStartedAt?: string;
}

/** A call that has ended. */
export interface EndedCall extends CallPart {
  readonly purpose: Priority;
  /** Kind of the failure; undefined if the call succeeded. */
  readonly failure: string | undefined;
  /** Why it failed, for clients. */
  readonly message: string | undefined;
  readonly ms: number;
}

/**
 * The quota of an account. `noteText` is called with the text of a failure that is not suitable for clients, and `onCall` after
 * each call.
 */
export function quotaFor(
  quotas: Quotas,
  account: string,
  noteText: (text: string) => void = () => undefined,
  onCall?: (call: EndedCall) => void,
  part: CallPart = {},
): SystemQuota {
  const currentPause = async () => (await quotas.pausesOf([account])).get(account);
  return {
    pause: (pause) => quotas.pause(account, pause),
    pausedFor: async () => (await currentPause())?.seconds ?? 0,
    about: (more) => quotaFor(quotas, account, noteText, onCall, { ...part, ...more }),
    usage: async () => ({ ...(await quotas.usage(account)), pause: await currentPause() }),
    async run(priority, call) {
      const lease = await quotas.acquire(account, priority);
      try {
        const pause = await currentPause();
        if (pause) throw refusedBy(pause);
        const about = { purpose: priority, ...part };
        return await inSpan(`call for ${priority}`, spanOf(about), () => observed(call, about, onCall));
      } catch (error) {
        const requested = error instanceof SystemError ? requestedPause(error) : undefined;
        // What the system responded matters more than a pause that cannot be stored.
        if (requested)
          await quotas
            .pause(account, requested)
            .catch((failure: unknown) => noteText(`The pause could not be stored: ${failure}`));
        if (error instanceof SystemError && typeof error.cause === 'string') noteText(error.cause);
        throw error;
      } finally {
        await lease.release();
      }
    },
  };
}

/** Kinds of errors that concern the system as a whole, and not one call or one user. */
const PAUSING: ReadonlySet<SystemError['kind']> = new Set(['throttled', 'unavailable', 'unknown', 'invalid']);

/**
 * The pause of all calls that a system requested with an error, unless it refused only this one. If the search for a new record
 * fails, the error of the create has that of the search as its cause.
 */
function requestedPause({ kind, retryAfter, isOnlyForCall, cause }: SystemError): Pause | undefined {
  const isSearch = kind === 'unsearched' || kind === 'unknown';
  if (isSearch && cause instanceof SystemError) return requestedPause(cause);
  if (retryAfter === undefined || isOnlyForCall || !PAUSING.has(kind)) return undefined;
  return { kind: kind === 'throttled' ? 'throttled' : 'unavailable', seconds: retryAfter };
}

function refusedBy({ kind, seconds, until }: CurrentPause): SystemError {
  const words = `The connected system is not called until ${until}, as it requested.`;
  return new SystemError(kind, words, { retryAfter: seconds });
}

/** A call is a client span, whatever the protocol of the system is. */
function spanOf({ purpose, platform, connectionId, stream, writeId }: CallPart & Pick<EndedCall, 'purpose'>) {
  const attributes = {
    ...{ 'peer.service': platform, 'unified.connection': connectionId, 'unified.purpose': purpose },
    ...{ 'unified.stream': stream, 'unified.write': writeId },
  };
  return { kind: 'client', attributes } as const;
}

async function observed<T>(
  call: () => Promise<T>,
  about: CallPart & Pick<EndedCall, 'purpose'>,
  onCall: ((call: EndedCall) => void) | undefined,
): Promise<T> {
  const began = performance.now();
  const end = (failure?: string, message?: string) =>
    onCall?.({ ...about, failure, message, ms: performance.now() - began });
  try {
    const result = await call();
    end();
    return result;
  } catch (error) {
    if (error instanceof SystemError) end(error.kind, error.clientWords);
    else end('internal');
    throw error;
  }
}

/** Concurrent calls of one process to one connected system. */
const CALLS_AT_ONCE = 4;

interface MemoryOptions {
  readonly callsAtOnce?: number;
  readonly now?: () => number;
}

/** Quotas for this process only: at most `callsAtOnce` calls to each connected system. */
export function memoryQuotas(options: MemoryOptions = {}): Quotas & { readonly size: number } {
  return new MemoryQuotas(options);
}

interface Usage {
  running: number;
  readonly waiting: Record<Priority, (() => void)[]>;
  /** End of the pause, in milliseconds since 1970. */
  pausedUntil: number;
  pauseKind: Pause['kind'];
}

class MemoryQuotas implements Quotas {
  readonly #callsAtOnce: number;
  readonly #now: () => number;
  readonly #usages = new Map<string, Usage>();

  constructor({ callsAtOnce = CALLS_AT_ONCE, now = Date.now }: MemoryOptions) {
    this.#callsAtOnce = callsAtOnce;
    this.#now = now;
  }

  /** Number of accounts that are calling, waiting or paused; nothing is stored for others. */
  get size(): number {
    this.#forgetIdle();
    return this.#usages.size;
  }

  async acquire(account: string, priority: Priority): Promise<QuotaLease> {
    const usage = this.#usageOf(account);
    if (usage.running < this.#callsAtOnce) usage.running += 1;
    else await new Promise<void>((resolve) => usage.waiting[priority].push(resolve));
    return { release: async () => this.#release(usage) };
  }

  async pause(account: string, { kind, seconds }: Pause): Promise<void> {
    const usage = this.#usageOf(account);
    usage.pausedUntil = Math.max(usage.pausedUntil, this.#now() + seconds * 1000);
    usage.pauseKind = kind;
  }

  async pausesOf(accounts: readonly string[]): Promise<ReadonlyMap<string, CurrentPause>> {
    const pauses = accounts.flatMap((account) => {
      const { pausedUntil = 0, pauseKind: kind = 'unavailable' } = this.#usages.get(account) ?? {};
      const seconds = Math.ceil((pausedUntil - this.#now()) / 1000);
      const until = new Date(pausedUntil).toISOString();
      return seconds > 0 ? [[account, { kind, seconds, until }] as const] : [];
    });
    return new Map(pauses);
  }

  async resume(account: string): Promise<boolean> {
    const usage = this.#usages.get(account);
    if (!usage || usage.pausedUntil <= this.#now()) return false;
    usage.pausedUntil = 0;
    return true;
  }

  async usage(account: string): Promise<QuotaUsage> {
    return { callsAtOnce: this.#callsAtOnce, inProgress: this.#usages.get(account)?.running ?? 0 };
  }

  #usageOf(account: string): Usage {
    const known = this.#usages.get(account);
    if (known) return known;
    const usage: Usage = {
      running: 0,
      waiting: { write: [], read: [], sync: [] },
      pausedUntil: 0,
      pauseKind: 'unavailable',
    };
    this.#usages.set(account, usage);
    return usage;
  }

  /** Hands the turn to the first waiting call, so that no other call can take it. */
  #release(usage: Usage): void {
    const waiting = PRIORITIES.map((priority) => usage.waiting[priority]).find((queue) => queue.length > 0);
    const next = waiting?.shift();
    if (next) {
      next();
      return;
    }
    usage.running -= 1;
    this.#forgetIdle();
  }

  /** Limits the map to the accounts in use. */
  #forgetIdle(): void {
    const now = this.#now();
    for (const [account, { running, pausedUntil }] of this.#usages) {
      if (running === 0 && pausedUntil <= now) this.#usages.delete(account);
    }
  }
}
