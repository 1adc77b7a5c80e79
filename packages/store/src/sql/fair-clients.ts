import { ServiceError } from '@unified/contract';
import type pg from 'pg';
import type { DocumentRead, ReadResult } from './document-reads.ts';
import { ReadQueues } from './read-queue.ts';
import { slots } from './slots.ts';
import { type UseClient, withClient } from './with-client.ts';

export interface FairLimits {
  /** Maximum number of clients that one owner has at a time. */
  readonly most: number;
  /** Longest time to wait for a client, in milliseconds. */
  readonly waitMs: number;
}

/** The clients that one owner may use. */
export interface OwnerClients {
  readonly use: UseClient;
  /** Runs a read, possibly together with others of the owner that wait for a client. */
  read(read: DocumentRead): Promise<ReadResult>;
}

/**
 * Divides the clients of a pool among owners, such as applications. An owner that has reached its limit waits until it has
 * released a client, so that the others stay available to other owners. Waiting longer than `waitMs` throws
 * SERVICE_UNAVAILABLE.
 */
export function fairClients(pool: pg.Pool, { most, waitMs }: FairLimits): (owner: string) => OwnerClients {
  const inSlot = slots({ size: most, longestMs: waitMs, busy });
  const use: UseClient = (work) => withClient(pool, work);
  const queues = new ReadQueues(inSlot, use);
  return (owner) => ({
    use: (work) => inSlot(owner, () => use(work)),
    read: (read) => queues.run(owner, read),
  });
}

function busy(): ServiceError {
  const message = 'Other requests of the application use its share of the database connections. Retry.';
  return new ServiceError('SERVICE_UNAVAILABLE', message, { retryAfter: 1 });
}
