import { v5 as hashedId } from 'uuid';
import type { Change } from '../changes/read-changes.ts';

/** Namespace of the ids of events of records. */
const NAMESPACE = '7f6f6c2e-2d3b-5b7e-9a53-3f1c2d4e5a6b';

/**
 * The id of the event of a change, the same for all endpoints and replays. The time is part of it, because a log that was
 * restored from a backup uses the same numbers again.
 */
export function eventIdOf(connectionId: string, { seq, at }: Pick<Change, 'seq' | 'at'>): string {
  return hashedId(`${connectionId} ${seq} ${at}`, NAMESPACE);
}
