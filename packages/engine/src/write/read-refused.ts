import type { Stream } from '@unified/connectors';
import { LeaseLost } from '../locks/leases.ts';
import type { ObservedRows } from '../records/store-rows.ts';
import type { HeldQueue } from './held-queue.ts';
import type { OpenWrite } from './open-write.ts';
import { targetFor } from './prepare-write.ts';
import { beginStep, endStep } from './steps.ts';

/** The row of a record, as the connected system holds it. */
export interface RefusedRow extends ObservedRows {
  readonly stream: Stream;
}

/**
 * Reads a record again that the connected system refused to change: a refusal often means that our copy is out of date.
 * Undefined where there is no record yet, or it cannot be read; the write has failed either way, and the next sync shows
 * the record.
 */
export async function readRefused(queue: HeldQueue, write: OpenWrite): Promise<RefusedRow | undefined> {
  const { targetKey: key, entity, writeId } = write;
  if (key === null) return undefined;
  const { stream } = targetFor(queue, write);
  const step = beginStep(write.steps, { kind: 'read', entity, vendorObject: stream.name, vendorId: key });
  try {
    const row = await queue.broker.run('write', () => queue.driver.read(stream, key));
    endStep(step, 'succeeded');
    return { stream, rows: row ? [{ key, row }] : [], deleted: row ? [] : [key] };
  } catch (error) {
    if (error instanceof LeaseLost) throw error;
    endStep(step, 'failed', error);
    queue.log.warn({ err: error, writeId }, 'record of a refused write could not be read again');
    return undefined;
  }
}
