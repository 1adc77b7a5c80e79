import { asSentence, partOf, SystemError } from '@unified/connectors';
import type { StoredError } from '@unified/store';
import { failureOf, staysUnknown } from '../drivers/system-failure.ts';
import { hasAllLines } from './adjusted-lines.ts';
import { contentHash } from './content-hash.ts';
import { failNotCarriedOut, failWrite, notCarriedOut, postponeWrite, waitAfter } from './end-write.ts';
import { type HeldQueue, type OpenWrite, type Phase, saveProgress } from './open-write.ts';
import { mappingFor } from './prepare-write.ts';
import { sameAsSent } from './same-as-sent.ts';
import { categoryAfter } from './send-write.ts';
import { beginStep, endStep, lastSent, type SendRecord, type SentStep, type Step, triesOf } from './write-steps.ts';

/** How long a call may still take effect after it was sent, in milliseconds; the default for drivers that do not declare it. */
const SETTLE_AFTER_MS = 30_000;

/** When a missing outcome of a call is accepted, in milliseconds since 1970. */
export function believedFrom({ driver }: Pick<HeldQueue, 'driver'>, { prepared }: SentStep): number {
  return Date.parse(prepared.sent.at) + (driver.settleAfterMs ?? SETTLE_AFTER_MS);
}

/**
 * Searches the connected system for the outcome of a call that was sent. A missing outcome is accepted only once the call can
 * no longer take effect. Until then, the queue waits, because order matters more than speed.
 */
export async function verifyOutcome(queue: HeldQueue, write: OpenWrite): Promise<Phase> {
  const sent = sentStep(write);
  const { entity, vendorObject, vendorId } = sent;
  const step = beginStep(write.steps, { kind: 'verify', entity, vendorObject, vendorId });
  const believed = believedFrom(queue, sent);
  const lookedAt = Date.now();
  let outcome: Outcome;
  try {
    outcome = await queue.quota.run('write', () => outcomeOf(queue, write, sent.prepared.sent));
  } catch (error) {
    return lookAgain(queue, write, { step, error, waitMs: believed - lookedAt });
  }
  if (typeof outcome === 'string' && lookedAt < believed) {
    endStep(step, 'unknown');
    return postponeWrite(queue, write, 'unknown', believed - lookedAt, sent.error ?? undefined);
  }
  endStep(step, 'succeeded');
  if (typeof outcome === 'object') return done(queue, write, sent, outcome.key);
  return outcome === 'ambiguous' ? failWrite(queue, write, ambiguous) : notDone(queue, write, sent);
}

/**
 * What the connected system shows about a call: the key of the row that proves it, nothing, or a change of the row that may
 * have been made by another user.
 */
type Outcome = { readonly key: string } | 'none' | 'ambiguous';

const ambiguous: StoredError = {
  code: 'SERVICE_OUTCOME_UNKNOWN',
  message:
    'The record was changed after the write was sent, but not to the values that were sent. Check it in the connected system before you repeat the write.',
  details: [],
};

async function done(queue: HeldQueue, write: OpenWrite, sent: SentStep, key: string): Promise<Phase> {
  sent.vendorId = key;
  endStep(sent, 'succeeded');
  await saveProgress(queue, write);
  return 'finish';
}

/**
 * Fails a write whose outcome was not found. The same request does not send it again if the system received it completely, or if
 * no search can identify its record.
 */
function failUnknown(queue: HeldQueue, write: OpenWrite, error: StoredError, isFinal = false): Promise<Phase> {
  const sent = sentStep(write);
  if (sent.prepared.sentOnce || isFinal) sent.prepared = { ...sent.prepared, staysUnknown: true };
  return failWrite(queue, write, error);
}

const unlisted: StoredError = {
  code: 'SERVICE_OUTCOME_UNKNOWN',
  message:
    'The connected system responded to the create without the key of a new record, and does not list it. Check in the connected system whether the record exists before you repeat the write.',
  details: [],
};

async function notDone(queue: HeldQueue, write: OpenWrite, sent: SentStep): Promise<Phase> {
  if (sent.prepared.sentOnce) return failUnknown(queue, write, unlisted);
  endStep(sent, 'failed');
  sent.error = notCarriedOut;
  return triesOf(write.steps) >= queue.policies.send.attempts ? failNotCarriedOut(queue, write) : 'send';
}

/**
 * Handles a search that failed. While the system is unavailable, the queue waits, because the writes behind this one would fail as
 * well. If the system is available but never returns the outcome, the write fails after some attempts, and an operator must check
 * it. If its record cannot be identified even when the call can no longer take effect, in `waitMs` milliseconds, it fails then.
 */
async function lookAgain(
  queue: HeldQueue,
  write: OpenWrite,
  { step, error, waitMs }: { readonly step: Step; readonly error: unknown; readonly waitMs: number },
): Promise<Phase> {
  endStep(step, 'unknown', error);
  const { tries } = step.prepared;
  const policy = queue.policies.look;
  const isAway = error instanceof SystemError && away.includes(error.kind);
  const failure = failureOf(error);
  const isFinal = staysUnknown(error);
  if (isFinal && waitMs > 0) return postponeWrite(queue, write, 'unknown', waitMs, failure);
  if (!isFinal && (isAway || tries < policy.attempts))
    return postponeWrite(queue, write, 'unknown', waitAfter(policy, tries, error), failure);
  const message = `${asSentence(failure.message)} ${REMEDY}`;
  return failUnknown(queue, write, { ...failure, code: 'SERVICE_OUTCOME_UNKNOWN', message }, isFinal);
}

const REMEDY = 'Check in the connected system whether the write took effect before you repeat it.';

const away: readonly SystemError['kind'][] = ['unavailable', 'throttled', 'unauthorized', 'unknown'];

async function outcomeOf(queue: HeldQueue, write: OpenWrite, sent: SendRecord): Promise<Outcome> {
  const { stream, mapping } = mappingFor(queue.model, write);
  const { driver } = queue;
  if (write.op === 'create') {
    const intent = { writeId: write.writeId, position: sent.position, sentAt: sent.at };
    return provenBy((await partOf(driver, 'writes').findCreated(stream, sent.values, intent))?.key);
  }
  const key = write.targetKey ?? '';
  const row = await driver.read(stream, key);
  if (row === null) return write.op === 'delete' ? { key } : 'none';
  const record = mapping.read({ key, row });
  if (write.op === 'delete') return record?.deletedAt ? { key } : 'none';
  const to = write.op === 'action' ? categoryAfter(queue, write) : undefined;
  if (to !== undefined) return record?.values.statusCategory === to ? { key } : 'none';
  const changed = sent.before !== undefined && contentHash(row) !== sent.before;
  const comparison = record ? sameAsSent(mapping, record, sent) : 'different';
  // A driver that sends several requests may have been interrupted between them.
  if (record && comparison === 'incomparable' && changed && !hasAllLines(record, sent)) return 'ambiguous';
  if (comparison === 'same' || (comparison === 'incomparable' && changed)) return { key };
  // An update can be repeated, because it sets the same values. An action, such as a goods receipt, must not take effect twice.
  return changed && write.op === 'action' ? 'ambiguous' : 'none';
}

function provenBy(key: string | undefined): Outcome {
  return key === undefined ? 'none' : { key };
}

function sentStep(write: OpenWrite): SentStep {
  const step = lastSent(write.steps);
  if (!step) throw new Error(`Write ${write.writeId} has nothing to verify.`);
  return step;
}
