import { ServiceError } from '@unified/contract';
import { enqueueWrite, type NewWrite, type Scope, type StoredWrite } from '@unified/store';
import type { EngineParts } from '../engine-parts.ts';
import { lastSent, storedSteps } from './steps.ts';
import { storedWrite } from './stored-write.ts';
import { platformOf, wakeLane } from './submit-write.ts';

/**
 * Queues a write that takes a succeeded create or update back, once: it deletes the record, deactivates it where the
 * connected system cannot delete, or sets the fields to what they were. Throws SERVICE_WRITE_STATE for all others.
 */
export async function compensateWrite(parts: EngineParts, scope: Scope, writeId: string): Promise<StoredWrite> {
  const write = await storedWrite(scope, writeId);
  if (write.status !== 'succeeded')
    throw refused(`The write is ${write.status}; only a succeeded one can be taken back.`);
  const { mappings } = await platformOf(parts, scope);
  const mapping = mappings[write.entity];
  const change = write.targetId === null ? null : opposite(write, mapping);
  if (!change) throw refused(`The connected system cannot take this ${write.op} back.`);
  // One key per write: asking twice takes it back once.
  const idempotency = { key: `compensate ${writeId}`, fingerprint: writeId };
  const { entity, targetId } = write;
  const given = { operation: 'compensateWrite', entity, targetId, ...change };
  const { write: queued } = await enqueueWrite(scope, { ...given, idempotency });
  await wakeLane(parts, scope);
  return queued;
}

type Mapping = Awaited<ReturnType<typeof platformOf>>['mappings'][string] | undefined;

function opposite({ op, steps }: StoredWrite, mapping: Mapping): Pick<NewWrite, 'op' | 'body'> | null {
  if (op === 'create') {
    if (mapping?.writes.has('delete')) return { op: 'delete', body: {} };
    const canDeactivate = mapping?.writes.has('update') && mapping.writable.includes('isActive');
    return canDeactivate ? { op: 'update', body: { isActive: false } } : null;
  }
  const previous = lastSent(storedSteps(steps))?.prepared.sent.previous;
  return (op === 'update' || op === 'replace') && previous ? { op: 'update', body: previous } : null;
}

function refused(message: string): ServiceError {
  return new ServiceError('SERVICE_WRITE_STATE', message);
}
