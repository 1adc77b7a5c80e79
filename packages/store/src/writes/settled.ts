import type { Heard } from '../listener.ts';
import { internalsOf, type Store } from '../store.ts';

/** Tells waiting requests which write was settled. */
export const SETTLED_CHANNEL = 'unified_write';

/**
 * Hears the id of every write that is settled (or turns out unknown, or is cancelled), in any process; null: some may
 * have been missed, look again. Gives the way to stop.
 */
export async function onSettled(store: Store, heard: Heard): Promise<() => void> {
  return internalsOf(store).listener.on(SETTLED_CHANNEL, heard);
}
