import { ServiceError } from '@unified/contract';
import { connectionById, enqueueWrite, type Scope } from '@unified/store';
import type { EngineParts } from '../engine-parts.ts';
import { contentHash } from '../systems/content-hash.ts';
import { placeOf } from './prepare-write.ts';
import type { WriteRequest } from './write-request.ts';

/**
 * Queues a write at the end of the connection's lane; the connected system is called later, by a worker. With a key that
 * was used in the last 24 hours, gives the write of then. Throws SERVICE_NOT_SUPPORTED, SERVICE_CONNECTION_INACTIVE and
 * SERVICE_IDEMPOTENCY_MISMATCH.
 */
export async function submitWrite(
  parts: EngineParts,
  scope: Scope,
  request: WriteRequest,
): Promise<{ writeId: string; replayed: boolean }> {
  const { operation, entity, op, action, targetId, input, idempotencyKey } = request;
  placeOf({ platform: await platformOf(parts, scope) }, { entity, op, action: action ?? null });
  const fingerprint = contentHash({ operation, targetId, input });
  const { write, replayed } = await enqueueWrite(scope, {
    ...{ operation, entity, op, body: input },
    ...(action !== undefined && { action }),
    ...(targetId !== undefined && { targetId }),
    ...(idempotencyKey !== undefined && { idempotency: { key: idempotencyKey, fingerprint } }),
  });
  if (!replayed) await wakeLane(parts, scope);
  return { writeId: write.writeId, replayed };
}

/** Has the lane drained. The write is committed by now: where waking fails, the sweep of a worker finds it. */
export async function wakeLane({ jobs, log }: EngineParts, { connectionId }: Scope): Promise<void> {
  await jobs
    .drainLane(connectionId)
    .catch((err) => log.warn({ err, connectionId }, 'no job for a lane; the sweep adds it'));
}

/** The platform of a connection. Throws SERVICE_CONNECTION_INACTIVE. */
export async function platformOf({ store, systems }: EngineParts, { connectionId }: Scope) {
  const connection = await connectionById(store, connectionId);
  if (connection?.status === 'active') return systems.platformOf(connection.platform);
  throw new ServiceError('SERVICE_CONNECTION_INACTIVE', 'The connection is deactivated.');
}
