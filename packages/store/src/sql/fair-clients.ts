import { ServiceError } from '@unified/contract';
import type pg from 'pg';
import { withClient } from './session.ts';

/** Runs `work` with a client. */
export type UseClient = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

export interface FairLimits {
  /** Maximum number of clients that one owner has at a time. */
  readonly most: number;
  /** Longest time to wait for a client, in milliseconds. */
  readonly waitMs: number;
}

/** What one owner uses: the number of clients, and the callers that wait for one, in order. */
interface Use {
  clients: number;
  readonly waiting: Set<() => void>;
}

/**
 * Divides the clients of a pool among owners, such as applications. An owner that has reached its limit waits until it has
 * released a client, so that the others stay available to other owners. Waiting longer than `waitMs` throws
 * SERVICE_UNAVAILABLE.
 */
export function fairClients(pool: pg.Pool, { most, waitMs }: FairLimits): (owner: string) => UseClient {
  const uses = new Map<string, Use>();

  function enter(owner: string): Promise<void> | undefined {
    const use = uses.get(owner) ?? { clients: 0, waiting: new Set() };
    uses.set(owner, use);
    if (use.clients >= most) return turnOf(use.waiting, waitMs);
    use.clients += 1;
    return undefined;
  }

  /** The next caller in the queue takes over the client; the number of clients does not change. */
  function leave(owner: string): void {
    const use = uses.get(owner);
    if (!use) return;
    const [next] = use.waiting;
    if (next) next();
    else use.clients -= 1;
    if (use.clients === 0) uses.delete(owner);
  }

  return (owner) => async (work) => {
    const waiting = enter(owner);
    if (waiting) await waiting;
    try {
      return await withClient(pool, work);
    } finally {
      leave(owner);
    }
  };
}

function turnOf(waiting: Set<() => void>, waitMs: number): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const take = () => {
    clearTimeout(timer);
    waiting.delete(take);
    resolve();
  };
  const timer = setTimeout(() => {
    waiting.delete(take);
    reject(busy());
  }, waitMs);
  waiting.add(take);
  return promise;
}

function busy(): ServiceError {
  const message = 'Other requests of the application use its share of the database connections. Retry.';
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 1 });
}
