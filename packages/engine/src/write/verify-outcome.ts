import { SystemError } from '@unified/connectors';
import { saveSteps } from '@unified/store';
import type { Lane } from './held-queue.ts';
import { contentHash } from './content-hash.ts';
import { failureOf } from '../drivers/failure.ts';
import { failNotCarriedOut, failWrite, notCarriedOut, postponeWrite, waitAfter } from './end-write.ts';
import { fenced } from './fenced.ts';
import { targetCategory } from './send-record.ts';
import { placeOf } from './prepare-write.ts';
import { sameAsSent } from './same-as-sent.ts';
import { beginStep, endStep, lastSent, triesOf } from './steps.ts';
import type { OpenWrite, Phase, Sent, SentStep, Step } from './open-write.ts';

/** How long a call may still take effect after it was sent, where the driver does not say, in milliseconds. */
const SETTLE_AFTER_MS = 30_000;

/**
 * Looks in the connected system for the outcome of a call that was sent. Not found is believed only when the call can
 * no longer take effect; until then the lane waits, because order matters more than speed.
 */
export async function verifyOutcome(lane: Lane, write: OpenWrite): Promise<Phase> {
  const sent = sentStep(write);
  const { entity, vendorObject, vendorId } = sent;
  const step = beginStep(write.steps, { kind: 'verify', entity, vendorObject, vendorId });
  const believedFrom = Date.parse(sent.prepared.sent.at) + (lane.driver.settleAfterMs ?? SETTLE_AFTER_MS);
  const lookedAt = Date.now();
  let key: string | null;
  try {
    key = await lane.broker.run('write', () => outcomeKey(lane, write, sent.prepared.sent));
  } catch (error) {
    return lookAgain(lane, write, step, error);
  }
  if (key === null && lookedAt < believedFrom) {
    endStep(step, 'unknown');
    return postponeWrite(lane, write, 'unknown', believedFrom - lookedAt, sent.error ?? undefined);
  }
  endStep(step, 'succeeded');
  return key === null ? notDone(lane, write, sent) : done(lane, write, sent, key);
}

async function done(lane: Lane, write: OpenWrite, sent: SentStep, key: string): Promise<Phase> {
  sent.vendorId = key;
  endStep(sent, 'succeeded');
  await fenced(lane, write, (scope) => saveSteps(scope, write.writeId, write.steps));
  return 'finish';
}

async function notDone(lane: Lane, write: OpenWrite, sent: SentStep): Promise<Phase> {
  endStep(sent, 'failed');
  sent.error = notCarriedOut;
  return triesOf(write.steps) >= lane.policies.send.attempts ? failNotCarriedOut(lane, write) : 'send';
}

/**
 * The system could not be asked. While it is away the lane waits: nothing behind this write would get through either.
 * A system that answers, but will not tell, would keep the lane for ever: then the write fails, and a person must look.
 */
async function lookAgain(lane: Lane, write: OpenWrite, step: Step, error: unknown): Promise<Phase> {
  endStep(step, 'unknown', error);
  const { tries } = step.prepared;
  const policy = lane.policies.look;
  const isAway = error instanceof SystemError && away.includes(error.kind);
  const failure = failureOf(error);
  if (isAway || tries < policy.attempts) {
    return postponeWrite(lane, write, 'unknown', waitAfter(policy, tries, error), failure);
  }
  return failWrite(lane, write, { ...failure, code: 'SERVICE_OUTCOME_UNKNOWN' });
}

const away: readonly SystemError['kind'][] = ['unavailable', 'throttled', 'unauthorized', 'unknown'];

/** The key of the row that shows the write; null: none does. */
async function outcomeKey(lane: Lane, write: OpenWrite, sent: Sent): Promise<string | null> {
  const { stream, mapping } = placeOf(lane, write);
  const { driver } = lane;
  if (write.op === 'create') {
    const intent = { writeId: write.writeId, prepared: sent.position, sentAt: sent.at };
    return (await driver.findCreated(stream, sent.values, intent))?.key ?? null;
  }
  const key = write.targetKey ?? '';
  const row = await driver.read(stream, key);
  if (row === null) return write.op === 'delete' ? key : null;
  const record = mapping.read({ key, row });
  const changed = sent.before !== undefined && contentHash(row) !== sent.before;
  if (write.op === 'delete') return record?.deletedAt ? key : null;
  if (write.op === 'action') {
    const to = targetCategory(lane, write);
    return changed || (to !== undefined && record?.values.statusCategory === to) ? key : null;
  }
  const comparison = record ? sameAsSent(mapping, record, sent) : 'different';
  return comparison === 'same' || (comparison === 'incomparable' && changed) ? key : null;
}

function sentStep(write: OpenWrite): SentStep {
  const step = lastSent(write.steps);
  if (!step) throw new Error(`Write ${write.writeId} has nothing to verify.`);
  return step;
}
