import { streamsFor } from '../model/streams.ts';
import type { HeldQueue } from './held-queue.ts';
import type { OpenWrite } from './open-write.ts';

/**
 * Has read again what an action changed besides its own record, as its mapping tells. Without it, or should the request
 * get lost, the next scheduled sync shows it.
 */
export async function readTouched(queue: HeldQueue, { entity, action, writeId }: OpenWrite): Promise<void> {
  const touches = queue.platform.mappings[entity]?.actions[action ?? '']?.touches ?? [];
  const streams = streamsFor(queue.platform, touches);
  if (streams.length === 0) return;
  const { connectionId } = queue;
  await queue.jobs
    .syncConnection({ connectionId, mode: 'incremental', streams })
    .catch((err) => queue.log.warn({ err, writeId }, 'what an action touched waits for the next sync'));
}
