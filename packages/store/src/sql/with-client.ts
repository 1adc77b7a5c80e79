import type pg from 'pg';
import { asRemoved, asUnavailable } from './failures.ts';

/** Runs `work` with a client. */
export type UseClient = <T>(work: (client: pg.PoolClient) => Promise<T>) => Promise<T>;

/** Runs `work` with a client of the pool. A client whose connection broke is discarded. */
export async function withClient<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw asUnavailable(error);
  });
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    const reported = asUnavailable(error);
    client.release(reported !== error);
    throw asRemoved(reported);
  }
}
