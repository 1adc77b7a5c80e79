import type { Stream } from '@unified/connectors';
import { type Lane, LaneLost } from './held-queue.ts';
import type { ObservedRows } from '../records/store-rows.ts';
import { placeOf } from './prepare-write.ts';
import { beginStep, endStep } from './steps.ts';
import type { OpenWrite } from './open-write.ts';

/** The row of a record, as the connected system holds it. */
export interface RefusedRow extends ObservedRows {
  readonly stream: Stream;
}

/**
 * Reads a record again that the connected system refused to change: a refusal often means that our copy is out of date.
 * Undefined where there is no record yet, or it cannot be read; the write has failed either way, and the next sync shows
 * the record.
 */
export async function readRefused(lane: Lane, write: OpenWrite): Promise<RefusedRow | undefined> {
  const { targetKey: key, entity, writeId } = write;
  if (key === null) return undefined;
  const { stream } = placeOf(lane, write);
  const step = beginStep(write.steps, { kind: 'read', entity, vendorObject: stream.name, vendorId: key });
  try {
    const row = await lane.broker.run('write', () => lane.driver.read(stream, key));
    endStep(step, 'succeeded');
    return { stream, rows: row ? [{ key, row }] : [], deleted: row ? [] : [key] };
  } catch (error) {
    if (error instanceof LaneLost) throw error;
    endStep(step, 'failed', error);
    lane.log.warn({ err: error, writeId }, 'record of a refused write could not be read again');
    return undefined;
  }
}
