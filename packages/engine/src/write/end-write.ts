import { SystemError } from '@unified/connectors';
import {
  failureLevel,
  LockLost,
  lockWrite,
  postpone,
  type Scope,
  type StoredError,
  type StoredWrite,
  settle,
  storedCustomFields,
} from '@unified/store';
import { failCurrentSpan } from '@unified/tracing';
import { backoff, type RetryPolicy } from '../drivers/retry-policy.ts';
import { failureOf, isFinal, isRefusal, retryAfterOf } from '../drivers/system-failure.ts';
import { fenced, type HeldQueue, type OpenWrite, type Phase } from './open-write.ts';
import { readRefused } from './read-back.ts';
import { storeTogether } from './store-together.ts';
import { endStep, isVerifyOnly, lastSent, triesOf } from './write-steps.ts';

/**
 * Settles a write as failed. The queue continues: the writes behind it were accepted independently, and a client that depends
 * on an outcome waits for it before it sends the next write. If a queue stopped until an operator acted, one refused order
 * would block all writes of a connection.
 */
export async function failWrite(queue: HeldQueue, write: OpenWrite, error: StoredError): Promise<Phase> {
  await fenced(queue, write, (scope) => settleFailed(scope, write, error));
  return failed(queue, write, error);
}

/**
 * Settles as failed a write that the connected system did not carry out. Its record is read and stored again in the same
 * transaction, so that a client that reads the record after the failure gets its current state.
 */
async function failRefused(queue: HeldQueue, write: OpenWrite, error: StoredError): Promise<Phase> {
  const read = await readRefused(queue, write);
  if (!read) return failWrite(queue, write, error);
  try {
    await fenced(queue, write, async (scope) => {
      await storeTogether(scope, queue.model, read);
      return settleFailed(scope, write, error);
    });
  } catch (err) {
    if (err instanceof LockLost) throw err;
    queue.log[failureLevel(err)]({ err, writeId: write.writeId }, 'record of a refused write cannot be stored');
    return failWrite(queue, write, error);
  }
  return failed(queue, write, error);
}

function settleFailed(scope: Scope, { writeId, steps, targetId }: OpenWrite, error: StoredError): Promise<StoredWrite> {
  // The outcome of a call that is still unknown is no longer searched for.
  for (const step of steps) step.endedAt ??= new Date().toISOString();
  return settle(scope, writeId, { status: 'failed', error, steps, leftovers: leftoversOf(steps, targetId) });
}

function failed(queue: HeldQueue, { writeId, attempts }: OpenWrite, { code }: StoredError): Phase {
  queue.log.info({ writeId, code, attempts }, 'write failed');
  failCurrentSpan(code);
  return 'stop';
}

/** What a failed write leaves behind in the connected system: the row of a create that took effect, or may have. */
function leftoversOf(steps: OpenWrite['steps'], id: string | null) {
  const sent = lastSent(steps);
  if (sent?.kind !== 'create' || sent.status === 'failed') return [];
  const handling = sent.status === 'succeeded' ? 'kept' : 'manual';
  return [
    {
      entity: sent.entity,
      vendorObject: sent.vendorObject ?? '',
      vendorId: sent.vendorId ?? '',
      id,
      handling,
    } as const,
  ];
}

/** Settles as failed a write that the connected system certainly did not carry out. */
export function failNotCarriedOut(queue: HeldQueue, write: OpenWrite): Promise<Phase> {
  return failRefused(queue, write, notCarriedOut);
}

export const notCarriedOut: StoredError = {
  code: 'SERVICE_SYSTEM_UNAVAILABLE',
  message: 'The connected system does not show the write, so it counts as not carried out.',
  details: [],
};

/** Leaves a write at the head of its queue for `ms` milliseconds. In the state `pending`, it can still be cancelled. */
export async function postponeWrite(
  queue: HeldQueue,
  write: OpenWrite,
  status: 'pending' | 'unknown',
  ms: number,
  error?: StoredError,
): Promise<Phase> {
  const at = new Date(Date.now() + ms).toISOString();
  const { writeId, steps } = write;
  await fenced(queue, write, async (scope) => {
    // These steps replace the stored ones, which may contain a new request to verify.
    const sent = lastSent(steps);
    if (sent && status === 'unknown' && isVerifyOnly(await lockWrite(scope, writeId))) {
      sent.prepared = { ...sent.prepared, verifyOnly: true };
    }
    return postpone(scope, writeId, { status, at, steps, ...(error && { error }) });
  });
  queue.log.warn({ writeId, status, attempts: write.attempts, delayMs: ms, code: error?.code }, 'write postponed');
  return 'stop';
}

/** Handles a failure that certainly changed nothing in the connected system: retries later, or settles the write as failed. */
export async function settleFailure(queue: HeldQueue, write: OpenWrite, error: unknown): Promise<Phase> {
  const failure = failureOf(error, await namedColumns(queue, write, error));
  if (failure.code === 'SERVICE_INTERNAL')
    queue.log[failureLevel(error)]({ err: error, writeId: write.writeId }, 'write failed with an internal error');
  for (const step of write.steps) if (step.status === 'running') endStep(step, 'failed', error);
  const tries = triesOf(write.steps);
  if (isFinal(error) || tries >= queue.policies.send.attempts) {
    if (error instanceof SystemError && error.cause instanceof Error) {
      // Clients get the message of this service; the original error is for its operators.
      queue.log.info({ writeId: write.writeId, system: error.cause.message }, 'write refused');
    }
    return isRefusal(error) ? failRefused(queue, write, failure) : failWrite(queue, write, failure);
  }
  return postponeWrite(queue, write, 'pending', waitAfter(queue.policies.send, tries, error), failure);
}

/** The fields that the columns named in a refusal belong to; undefined if it names none. */
async function namedColumns({ scope, model }: HeldQueue, { entity }: OpenWrite, error: unknown) {
  const mapping = model.mappings[entity];
  if (!mapping || !(error instanceof SystemError) || error.columns.length === 0) return undefined;
  const custom = (await storedCustomFields(scope, [entity])).get(entity) ?? [];
  return { paths: mapping.paths, written: mapping.written, customFields: custom.map(({ name }) => name) };
}

/** Milliseconds to wait after attempt number `tries` ended with `error`. */
export function waitAfter(policy: RetryPolicy, tries: number, error: unknown): number {
  return backoff(policy, tries, { retryAfter: retryAfterOf(error) });
}
