import { randomUUID } from 'node:crypto';
import { type Scope, sentCustomFields, type WriteRecord, type WriteStep } from '@unified/store';
import { activeModel } from '../model/active-model.ts';
import { plannedLines } from '../write/planned-lines.ts';
import { prepareWrite } from '../write/prepare-write.ts';
import { changingStep } from '../write/write-steps.ts';
import { refusalOf } from './accept-write.ts';
import type { CheckWrite, EngineContext, WriteRequest } from './write-request.ts';

/**
 * Plans a write: resolves its references, and lists its steps and its lines. Stores nothing and does not call the connected system.
 * Throws the error with which the write would be refused, or would fail before it is sent.
 */
export async function planWrite(
  context: EngineContext,
  scope: Scope,
  request: WriteRequest,
  check?: CheckWrite,
): Promise<WriteRecord> {
  const { operation, entity, op, action = null, targetId = null, input: body, idempotencyKey = null } = request;
  const model = await activeModel(context, scope);
  const refusal = await refusalOf(scope, model, [request], { check });
  if (refusal) throw refusal.error;
  const prepared = await prepareWrite({ scope, model }, { entity, op, action, targetId, body });
  const { stream, input, warnings, resolvedRefs } = prepared;
  const written = scope.entities[entity];
  const lines = written ? plannedLines(written, prepared) : [];
  const steps = (['resolve', changingStep[op], 'read', 'store'] as const).map((kind, index): WriteStep => {
    const vendorObject = kind === 'resolve' || kind === 'store' ? null : stream.name;
    return {
      n: index + 1,
      kind,
      entity,
      vendorObject,
      vendorId: null,
      status: 'planned',
      error: null,
      startedAt: null,
      endedAt: null,
    };
  });
  return {
    writeId: randomUUID(),
    operation,
    entity,
    op,
    targetId,
    idempotencyKey,
    attempts: 0,
    status: 'planned',
    result: null,
    steps,
    ...(lines.length > 0 && { lines }),
    leftovers: [],
    warnings,
    resolvedRefs,
    customFields: sentCustomFields(input),
    synced: false,
    syncedAt: null,
    createdAt: new Date().toISOString(),
    nextAttemptAt: null,
    finishedAt: null,
    error: null,
  };
}
