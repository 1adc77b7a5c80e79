import { connectionById, connectionSettings, makeWritesDue, type Store } from '@unified/store';
import type { Logger } from 'pino';
import { accountOf } from '../drivers/account-of.ts';
import type { Quotas } from '../drivers/quotas.ts';
import { type Jobs, wakeQueue } from '../jobs/jobs.ts';
import { platformIn, type Settings, type Systems } from '../model/systems.ts';

interface Parts {
  readonly store: Store;
  readonly systems: Systems;
  readonly quotas: Pick<Quotas, 'resume'>;
  readonly jobs: Jobs;
  readonly log: Logger;
}

/**
 * Ends the pause that the system of a connection requested, reads it now, and attempts its writes. Call it only after the system
 * has accepted a check with the settings of the connection: one that refuses further calls is then called only once per request.
 */
export async function resumeCalls({ store, systems, quotas, ...parts }: Parts, connectionId: string): Promise<void> {
  const connection = await connectionById(store, connectionId);
  const platform = connection && platformIn(systems, connection.platform);
  const settings = await connectionSettings(store, connectionId);
  if (!connection || !platform || !settings) return;
  const wasPaused = await quotas.resume(accountOf(platform, settings as Settings));
  await makeWritesDue(store.scope({ applicationId: connection.applicationId, connectionId }));
  await wakeQueue(parts, { connectionId });
  if (wasPaused && connection.status === 'active') await parts.jobs.addSyncJob({ connectionId, mode: 'incremental' });
}
