import { ServiceError } from '@unified/contract';
import { type Scope, type StoredWrite, settle } from '@unified/store';
import { type Lane, LaneLost } from './held-queue.ts';
import { failureOf } from '../drivers/failure.ts';
import { deriveRecords, storeRows } from '../records/store-rows.ts';
import { adjustments } from './adjustments.ts';
import { failWrite, postponeWrite, waitAfter } from './end-write.ts';
import { fenced } from './fenced.ts';
import { placeOf } from './prepare-write.ts';
import { type ReadRows, readBack } from './read-back.ts';
import { readTouched } from './read-touched.ts';
import { beginStep, endStep, lastSent } from './steps.ts';
import type { OpenWrite, Phase, Step } from './open-write.ts';
import { resultOf } from './write-result.ts';

/** The connected system has done it: reads the row back, stores it and settles the write, all in one transaction. */
export async function finishWrite(lane: Lane, write: OpenWrite): Promise<Phase> {
  const { stream } = placeOf(lane, write);
  const key = lastSent(write.steps)?.vendorId ?? '';
  const read = beginStep(write.steps, { kind: 'read', entity: write.entity, vendorObject: stream.name, vendorId: key });
  let found: Awaited<ReturnType<typeof readBack>>;
  try {
    found = await readBack(lane, write, key);
    if (found.row === null && write.op === 'create') {
      throw new ServiceError(
        'SERVICE_SYSTEM_INVALID',
        `The connected system does not show the new ${stream.name} ${key}.`,
      );
    }
  } catch (error) {
    return notRead(lane, write, read, error);
  }
  endStep(read, 'succeeded');
  const { row, others } = found;
  write.warnings = [...write.warnings, ...adjustments(lane, write, { key, row })];
  const main = { stream, rows: row ? [{ key, row }] : [], deleted: row ? [] : [key] };
  return storeAndSettle(lane, write, key, [...others, main]);
}

/** Done is done: where the row cannot be read the write has succeeded all the same, and the next sync shows it. */
async function notRead(lane: Lane, write: OpenWrite, read: Step, error: unknown): Promise<Phase> {
  endStep(read, 'failed', error);
  const { tries } = read.prepared;
  const policy = lane.policies.look;
  if (tries < policy.attempts) {
    return postponeWrite(lane, write, 'unknown', waitAfter(policy, tries, error), failureOf(error));
  }
  const { writeId, steps, targetId } = write;
  const result = { id: targetId, _idValue: read.vendorId ?? '', links: [], record: {} };
  await fenced(lane, write, (scope) => settle(scope, writeId, { status: 'succeeded', result, steps }));
  lane.log.warn({ err: error, writeId }, 'write succeeded, but could not be read back');
  return 'stop';
}

async function storeAndSettle(lane: Lane, write: OpenWrite, key: string, found: readonly ReadRows[]): Promise<Phase> {
  const step = beginStep(write.steps, { kind: 'store', entity: write.entity, vendorObject: null, vendorId: key });
  try {
    await fenced(lane, write, (scope) => settleWithin(scope, lane, write, { step, key, found }));
  } catch (error) {
    return notStored(lane, write, step, error);
  }
  const { writeId, entity, op, attempts } = write;
  lane.log.info({ writeId, entity, op, attempts, ms: Date.now() - Date.parse(write.createdAt) }, 'write settled');
  await readTouched(lane, write);
  return 'stop';
}

async function settleWithin(
  scope: Scope,
  lane: Lane,
  write: OpenWrite,
  { step, key, found }: { step: Step; key: string; found: readonly ReadRows[] },
): Promise<StoredWrite> {
  const { stream } = placeOf(lane, write);
  for (const each of found) await storeRows(scope, lane.platform, each.stream, each);
  // Records point to each other: whoever was stored first could not know the other.
  for (const { stream: of, rows } of found.slice(0, -1)) await deriveRecords(scope, lane.platform, of, rows);
  const result = await resultOf(scope, write, stream.name, key);
  endStep(step, 'succeeded');
  const { id } = result;
  const { steps, warnings } = write;
  const outcome = { status: 'succeeded', result, steps, warnings, synced: true } as const;
  return settle(scope, write.writeId, { ...outcome, ...(id !== null && { targetId: id }) });
}

/** A row that cannot be stored as what it should be is left where it is and named as a leftover. */
async function notStored(lane: Lane, write: OpenWrite, step: Step, error: unknown): Promise<Phase> {
  if (error instanceof LaneLost) throw error;
  lane.log.error({ err: error, writeId: write.writeId }, 'outcome of a write cannot be stored');
  endStep(step, 'failed', error);
  const { tries } = step.prepared;
  const policy = lane.policies.look;
  const isPassing = !(error instanceof ServiceError) || error.code === 'SERVICE_UNAVAILABLE';
  if (!isPassing || tries >= policy.attempts) return failWrite(lane, write, failureOf(error));
  return postponeWrite(lane, write, 'unknown', waitAfter(policy, tries, error), failureOf(error));
}
