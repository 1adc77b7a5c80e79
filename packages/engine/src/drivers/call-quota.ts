import type { Scope } from '@unified/store';
import type { DriverPool } from './driver-pool.ts';
import type { Pause } from './quotas.ts';

/** The calls of the account of a connection, as clients see them. */
export interface CallQuota {
  readonly callsAtOnce: number;
  readonly callsInProgress: number;
  /** RFC 3339; null: the system requested no pause. */
  readonly pausedUntil: string | null;
  readonly pauseReason: Pause['kind'] | null;
}

/** The calls of the account of a connection; undefined if the connection cannot be used. */
export function callQuota(drivers: DriverPool, { connectionId }: Scope): Promise<CallQuota | undefined> {
  return drivers.withDriver(connectionId, async ({ quota }) => {
    const { callsAtOnce, inProgress, pause } = await quota.usage();
    return {
      callsAtOnce,
      callsInProgress: inProgress,
      pausedUntil: pause?.until ?? null,
      pauseReason: pause?.kind ?? null,
    };
  });
}
