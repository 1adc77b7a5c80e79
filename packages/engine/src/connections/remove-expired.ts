import { type AuditOrigin, connectionById } from '@unified/store';
import type { RunPlace } from '../jobs/run-places.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { isLongForAllRows } from '../sync/expected-length.ts';
import { removeConnection } from './remove-connection.ts';

/** The service itself, as the audit log names it. */
const origin: AuditOrigin = {
  ...{ actorType: 'service', actor: 'service', operation: 'removeExpiredConnections' },
  ...{ requestId: null, address: null },
};

/** Removes a connection that can no longer be restored, with its data. A removal that is expected to be long waits for a place. */
export async function removeExpired(
  { store, jobs, longAfterMs }: Pick<WorkerContext, 'store' | 'jobs' | 'longAfterMs'>,
  connectionId: string,
  place: RunPlace,
): Promise<void> {
  const connection = await connectionById(store, connectionId);
  if (!connection || connection.deletedAt === null) return;
  const { applicationId } = connection;
  if (!place.begin(await isLongForAllRows({ longAfterMs }, store.scope({ applicationId, connectionId }))))
    return jobs.addRemovalJob(connectionId, place.whenPostponed);
  const engine = { forgetJobs: (id: string) => jobs.forget(id) };
  await removeConnection({ store, engine, origin }, { applicationId, connectionId });
}
