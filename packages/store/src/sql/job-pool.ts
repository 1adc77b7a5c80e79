import pg from 'pg';
import { reportErrors } from './pools.ts';

export interface JobPoolOptions {
  readonly size: number;
  /** Called when a client breaks; the pool replaces it automatically. */
  readonly onError: (error: Error) => void;
}

/**
 * Opens clients for a runner of jobs, whose commits do not wait for the disk. If the server of the database crashes, it may forget
 * that a job was taken or that it has ended: then the job runs again, as after any crash.
 */
export function openJobPool(connectionString: string, { size, onError }: JobPoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: size,
    onConnect: async (client) => void (await client.query('set synchronous_commit to off')),
  });
  reportErrors(pool, onError);
  return pool;
}
