import { ServiceError } from '@unified/contract';
import type pg from 'pg';
import { withClient } from './session.ts';
import { slots } from './slots.ts';

/** Runs `work` with a client. */
export type UseClient = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

export interface FairLimits {
  /** Maximum number of clients that one owner has at a time. */
  readonly most: number;
  /** Longest time to wait for a client, in milliseconds. */
  readonly waitMs: number;
}

/**
 * Divides the clients of a pool among owners, such as applications. An owner that has reached its limit waits until it has
 * released a client, so that the others stay available to other owners. Waiting longer than `waitMs` throws
 * SERVICE_UNAVAILABLE.
 */
export function fairClients(pool: pg.Pool, { most, waitMs }: FairLimits): (owner: string) => UseClient {
  const inSlot = slots({ size: most, longestMs: waitMs, busy });
  return (owner) => (work) => inSlot(owner, () => withClient(pool, work));
}

function busy(): ServiceError {
  const message = 'Other requests of the application use its share of the database connections. Retry.';
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 1 });
}
