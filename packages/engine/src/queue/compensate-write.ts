import type { CompiledMapping } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { enqueueWrite, type NewWrite, type Scope, type StoredWrite } from '@unified/store';
import { activePlatform } from '../model/active-platform.ts';
import { lastSent, storedSteps } from '../write/steps.ts';
import type { EngineContext } from './engine-context.ts';
import { storedWrite } from './stored-write.ts';

interface Asked {
  readonly writeId: string;
  /** Of the request. */
  readonly idempotencyKey: string | null | undefined;
}

/**
 * Queues a write that takes a succeeded create or update back, once: it deletes the record, deactivates it where the
 * connected system cannot delete, or sets the fields to what they were. Throws SERVICE_WRITE_STATE unless it has
 * succeeded, and SERVICE_NOT_REVERSIBLE for actions, deletes, and what the connected system has no opposite of.
 */
export async function compensateWrite(
  parts: EngineContext,
  scope: Scope,
  { writeId, idempotencyKey = null }: Asked,
): Promise<StoredWrite> {
  const write = await storedWrite(scope, writeId);
  if (write.status !== 'succeeded') {
    const message = `The write is ${write.status}; only a succeeded one can be taken back.`;
    throw new ServiceError('SERVICE_WRITE_STATE', message);
  }
  const { mappings } = await activePlatform(parts, scope);
  const mapping = mappings[write.entity];
  const change = write.targetId === null ? null : opposite(write, mapping);
  if (!change) {
    throw new ServiceError('SERVICE_NOT_REVERSIBLE', `The connected system cannot take this ${write.op} back.`);
  }
  // One key per write: asking twice takes it back once.
  const idempotency = { key: `compensate ${writeId}`, fingerprint: writeId };
  const { entity, targetId } = write;
  const given = { operation: 'compensateWrite', entity, targetId, ...change };
  return (await enqueueWrite(scope, { ...given, idempotency, idempotencyKey })).write;
}

function opposite(
  { op, steps }: StoredWrite,
  mapping: CompiledMapping | undefined,
): Pick<NewWrite, 'op' | 'body'> | null {
  if (op === 'create') {
    if (mapping?.writes.has('delete')) return { op: 'delete', body: {} };
    const canDeactivate = mapping?.writes.has('update') && mapping.writable.includes('isActive');
    return canDeactivate ? { op: 'update', body: { isActive: false } } : null;
  }
  const previous = lastSent(storedSteps(steps))?.prepared.sent.previous;
  return (op === 'update' || op === 'replace') && previous ? { op: 'update', body: previous } : null;
}
