import { DefinitionError } from '@unified/connectors';
import {
  dueConnections,
  dueQueues,
  endpointsWithWork,
  expiredConnections,
  markUnreadDue,
  platformsInUse,
  type Store,
  underivedConnections,
} from '@unified/store';
import type { Systems } from '../model/systems.ts';
import type { Jobs } from './jobs.ts';

/** Maximum number of connections for which one call adds jobs; the next call adds more. */
const MOST = 1_000;

/*
 * What is due stays due until a worker has done it. Jobs that wait are therefore not added again: with a thousand connections to
 * synchronize, each sweep of each worker would otherwise write a thousand rows.
 */

/** Adds jobs for the write queues that are due, longest due first. */
export async function addDueDrains(store: Store, jobs: Jobs): Promise<void> {
  for (const connectionId of await jobs.withoutJob('drain-queue', await dueQueues(store, MOST)))
    await jobs.addDrainJob(connectionId);
}

/** Adds jobs for the webhook endpoints to which something can be sent. */
export async function addDueDeliveries(store: Store, jobs: Jobs): Promise<void> {
  for (const endpointId of await jobs.withoutJob('deliver-events', await endpointsWithWork(store, MOST)))
    await jobs.addDeliveryJob(endpointId);
}

/** Adds jobs for the connections whose syncs are due. */
export async function addDueSyncs(store: Store, jobs: Jobs): Promise<void> {
  for (const connectionId of await jobs.withoutJob('sync-connection', await dueConnections(store, MOST)))
    await jobs.addSyncJob({ connectionId });
}

/** Adds jobs for the connections whose records have not been derived by their active mappings. */
export async function addDueDerivations(store: Store, jobs: Jobs): Promise<void> {
  for (const connectionId of await jobs.withoutJob('derive-connection', await underivedConnections(store, MOST)))
    await jobs.addDerivationJob(connectionId);
}

/** Adds jobs for the connections that can no longer be restored. */
export async function addRemovals(store: Store, jobs: Jobs): Promise<void> {
  for (const connectionId of await jobs.withoutJob('remove-connection', await expiredConnections(store, MOST)))
    await jobs.addRemovalJob(connectionId);
}

/** Makes streams that are new in this release due immediately, not only when their connections are. */
export async function markNewStreamsDue(store: Store, systems: Systems): Promise<void> {
  for (const platform of await platformsInUse(store))
    await markUnreadDue(store, platform, streamsOf(systems, platform));
}

/** Names of the streams of a platform; none for one that this release does not have. */
function streamsOf(systems: Systems, platform: string): readonly string[] {
  try {
    return systems.platformOf(platform).streams.map(({ name }) => name);
  } catch (error) {
    if (error instanceof DefinitionError) return [];
    throw error;
  }
}
