import type { Lane } from './held-queue.ts';
import { streamsFor } from '../model/streams.ts';
import type { OpenWrite } from './open-write.ts';

/**
 * Has read again what an action changed besides its own record, as its mapping tells. Without it, or should the request
 * get lost, the next scheduled sync shows it.
 */
export async function readTouched(lane: Lane, { entity, action, writeId }: OpenWrite): Promise<void> {
  const touches = lane.platform.mappings[entity]?.actions[action ?? '']?.touches ?? [];
  const streams = streamsFor(lane.platform, touches);
  if (streams.length === 0) return;
  const { connectionId } = lane;
  await lane.jobs
    .syncConnection({ connectionId, mode: 'incremental', streams })
    .catch((err) => lane.log.warn({ err, writeId }, 'what an action touched waits for the next sync'));
}
