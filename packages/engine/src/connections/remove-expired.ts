import { type AuditOrigin, connectionById, type Store } from '@unified/store';
import type { Jobs } from '../jobs/jobs.ts';
import { removeConnection } from './remove-connection.ts';

/** The service itself, as the audit log names it. */
const origin: AuditOrigin = {
  ...{ actorType: 'service', actor: 'service', operation: 'removeExpiredConnections' },
  ...{ requestId: null, address: null },
};

/** Removes a connection that can no longer be restored, with its data. */
export async function removeExpired(
  { store, jobs }: { readonly store: Store; readonly jobs: Jobs },
  connectionId: string,
): Promise<void> {
  const connection = await connectionById(store, connectionId);
  if (!connection || connection.deletedAt === null) return;
  const { applicationId } = connection;
  const engine = { forgetJobs: (id: string) => jobs.forget(id) };
  await removeConnection({ store, engine, origin }, { applicationId, connectionId });
}
