import type { CompiledMapping } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import {
  claimKey,
  enqueueWrite,
  keepContent,
  makeWriteDue,
  moveKey,
  type NewWrite,
  postpone,
  requeueWrite,
  type Scope,
  type StoredWrite,
  saveSteps,
  startAttempt,
} from '@unified/store';
import { activeModel } from '../model/active-model.ts';
import { isAble, REVERSAL } from '../write/able.ts';
import { contentHash } from '../write/content-hash.ts';
import { lastSent, storedSteps } from '../write/write-steps.ts';
import { type EngineContext, storedWrite } from './write-request.ts';

/** An action on a write record. */
export interface WriteAction {
  readonly operation: string;
  readonly writeId: string;
  /** Idempotency key of the request. Without a key, every request is new. */
  readonly idempotencyKey: string | undefined;
}

/** The write record that resulted from an action. `replayed` means that an earlier request had the same key. */
export interface Acted {
  readonly write: StoredWrite;
  readonly replayed: boolean;
}

/**
 * Carries out an action on a write record. A request with a key that was used for the same action in the last 24 hours
 * changes nothing: it returns the current state of the record that the first request resulted in, even if that state no
 * longer allows the action. An action that fails leaves its key unused. Throws SERVICE_IDEMPOTENCY_MISMATCH for a key
 * that another request used.
 */
export function actOnce(
  scope: Scope,
  { operation, writeId, idempotencyKey }: WriteAction,
  act: (inner: Scope) => Promise<StoredWrite>,
): Promise<Acted> {
  return scope.transaction(async (inner) => {
    if (idempotencyKey === undefined) return { write: await act(inner), replayed: false };
    const fingerprint = contentHash({ operation, writeId });
    const claim = await claimKey(inner, { key: idempotencyKey, fingerprint }, writeId);
    if (claim.replayed) return { write: await storedWrite(inner, claim.writeId), replayed: true };
    const write = await act(inner);
    if (write.writeId !== writeId) await moveKey(inner, idempotencyKey, write.writeId);
    return { write, replayed: false };
  });
}

/**
 * Queues a failed or cancelled write again, at the end of its queue. If it may have taken effect, it is verified first, and
 * sent again only if the connected system does not show the change. Throws SERVICE_WRITE_STATE in other states.
 */
export async function retryWrite(scope: Scope, writeId: string): Promise<StoredWrite> {
  const { steps } = await storedWrite(scope, writeId);
  const sent = lastSent(storedSteps(steps));
  return scope.transaction(async (inner) => {
    const queued = await requeueWrite(inner, writeId);
    await checkFile(inner, queued);
    if (!sent || sent.status === 'failed') return queued;
    await startAttempt(inner, writeId);
    const status = sent.status === 'succeeded' ? 'succeeded' : 'unknown';
    const prepared = { ...sent.prepared, verifyOnly: false, sentOnce: false };
    await saveSteps(inner, writeId, [{ ...sent, n: 1, status, prepared }]);
    return postpone(inner, writeId, { status: 'unknown', at: new Date().toISOString() });
  });
}

/** The file of a failed write is kept only for a limited time. */
async function checkFile(scope: Scope, { entity, body }: StoredWrite): Promise<void> {
  const { sha256 } = (body ?? {}) as { readonly sha256?: string };
  if (!scope.entities[entity]?.holdsFile || sha256 === undefined || (await keepContent(scope, sha256))) return;
  throw new ServiceError(
    'SERVICE_WRITE_STATE',
    'The file of this write is no longer stored. Send it again with a new create.',
  );
}

/**
 * Verifies an `unknown` write immediately. If the connected system does not show the change, the write fails; it is not sent
 * again. Throws SERVICE_WRITE_STATE in other states.
 */
export function verifyWrite(scope: Scope, writeId: string): Promise<StoredWrite> {
  return scope.transaction(async (inner) => {
    const steps = storedSteps((await makeWriteDue(inner, writeId)).steps);
    const sent = lastSent(steps);
    if (sent) sent.prepared = { ...sent.prepared, verifyOnly: true };
    return saveSteps(inner, writeId, steps);
  });
}

/**
 * Queues a write that reverses a successful create or update, but only once. It deletes the record, deactivates it if the
 * connected system cannot delete, or sets the fields to their previous values. Throws SERVICE_WRITE_STATE unless the write has
 * succeeded, and SERVICE_NOT_REVERSIBLE for actions, deletes, and what the connected system cannot reverse.
 */
export async function compensateWrite(
  context: EngineContext,
  scope: Scope,
  { writeId, idempotencyKey = null }: { readonly writeId: string; readonly idempotencyKey: string | null | undefined },
): Promise<StoredWrite> {
  const write = await storedWrite(scope, writeId);
  if (write.status !== 'succeeded') {
    const message = `The write is ${write.status}; only a succeeded one can be reversed.`;
    throw new ServiceError('SERVICE_WRITE_STATE', message);
  }
  const { mappings } = await activeModel(context, scope);
  const mapping = mappings[write.entity];
  const change = write.targetId === null || !mapping ? null : oppositeOf(write, mapping);
  if (!change) {
    throw new ServiceError('SERVICE_NOT_REVERSIBLE', `The connected system cannot reverse this ${write.op}.`);
  }
  // One key per write, so that it is reversed only once: later, a second reversal would overwrite what was changed in the meantime.
  const idempotency = { key: `compensate ${writeId}`, fingerprint: writeId, isPermanent: true };
  const { entity, targetId } = write;
  const given = { operation: REVERSAL, entity, targetId, ...change };
  return (await enqueueWrite(scope, { ...given, idempotency, idempotencyKey })).write;
}

function oppositeOf({ op, steps }: StoredWrite, mapping: CompiledMapping): Pick<NewWrite, 'op' | 'body'> | null {
  const { writes, writable } = mapping;
  if (op === 'create' && writes.has('delete')) return { op: 'delete', body: {} };
  if (!isAble(mapping, { operation: REVERSAL, op: 'update' })) return null;
  if (op === 'create') return writable.includes('isActive') ? { op: 'update', body: { isActive: false } } : null;
  const previous = lastSent(storedSteps(steps))?.prepared.sent.previous;
  return (op === 'update' || op === 'replace') && previous ? { op: 'update', body: previous } : null;
}
