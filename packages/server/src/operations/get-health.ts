import { apiVersion, type Response, ServiceError } from '@unified/contract';
import type { SystemContext } from './context.ts';
import { release } from './release.ts';

/** Returns 200 if the database is reachable. Throws `SERVICE_UNAVAILABLE` otherwise. */
export async function getHealth(_request: unknown, { ping }: SystemContext): Promise<Response<'getHealth'>> {
  try {
    await ping();
  } catch (cause) {
    throw new ServiceError('SERVICE_UNAVAILABLE', 'The database cannot be reached.', { cause, retryAfter: 5 });
  }
  return { status: 200, body: { status: 'ok', version: release, apiVersion: apiVersion() } };
}
