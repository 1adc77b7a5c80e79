import { type Platform, systemIdentity } from '@unified/connectors';
import {
  activeConnectionsTo,
  connectionById,
  connectionSettings,
  makeFailedDue,
  makeWritesDue,
  readableSettings,
  type Store,
} from '@unified/store';
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

/** Seconds within which the other connections of an account begin to synchronize after a pause. */
const SPREAD_SECONDS = 60;

/**
 * Ends a pause that the system of a connection requested, synchronizes the connection, and attempts its writes. The sweep does
 * the same for the other active connections with this account, of all applications, which the pause has delayed as well. Call it
 * only after the system has accepted a check: otherwise, all processes would call the system during the pause.
 */
export async function resumeCalls({ store, systems, quotas, ...parts }: Parts, connectionId: string): Promise<void> {
  const connection = await connectionById(store, connectionId);
  const platform = connection && platformIn(systems, connection.platform);
  const settings = (await connectionSettings(store, connectionId)) as Settings | null;
  if (!connection || !platform || !settings) return;
  const wasPaused = await quotas.resume(accountOf(platform, settings));
  await makeWritesDue(store, [connectionId]);
  await wakeQueue(parts, { connectionId });
  if (!wasPaused) return;
  if (connection.status === 'active') await parts.jobs.addSyncJob({ connectionId, mode: 'incremental' });
  const others = (await connectionsOfAccount(store, platform, settings)).filter((id) => id !== connectionId);
  await makeWritesDue(store, others);
  await makeFailedDue(store, others, SPREAD_SECONDS);
}

/** Ids of the active connections of all applications with the account of these settings. */
async function connectionsOfAccount(store: Store, platform: Platform, settings: Settings): Promise<string[]> {
  const account = accountOf(platform, settings);
  const ids = await activeConnectionsTo(store, platform.id, systemIdentity(platform, settings));
  const known = await readableSettings(store, ids);
  return [...known].flatMap(([id, each]) => (accountOf(platform, each as Settings) === account ? [id] : []));
}
