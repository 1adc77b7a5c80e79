import { randomUUID } from 'node:crypto';
import type { Scope, WriteRecord, WriteStep } from '@unified/store';
import { activePlatform } from '../model/active-platform.ts';
import { changingStep } from '../write/open-write.ts';
import { prepareWrite } from '../write/prepare-write.ts';
import type { EngineContext } from './engine-context.ts';
import { refusalOf } from './refusal-of.ts';
import type { CheckWrite, WriteRequest } from './write-request.ts';

/**
 * What a write would do: its references looked up, its steps planned. Nothing is stored and the connected system is not
 * called. Throws what the write would be refused for, or fail with before it is sent.
 */
export async function planWrite(
  parts: EngineContext,
  scope: Scope,
  request: WriteRequest,
  check?: CheckWrite,
): Promise<WriteRecord> {
  const { operation, entity, op, action = null, targetId = null, input: body, idempotencyKey = null } = request;
  const session = { scope, platform: await activePlatform(parts, scope) };
  const refusal = await refusalOf(scope, session.platform, [request], { check });
  if (refusal) throw refusal.error;
  const { stream, warnings, resolvedRefs } = await prepareWrite(session, { entity, op, action, body });
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
    ...{ writeId: randomUUID(), operation, entity, op, targetId, idempotencyKey, attempts: 0, status: 'planned' },
    ...{ result: null, steps, leftovers: [], warnings, resolvedRefs, synced: false, syncedAt: null },
    ...{ createdAt: new Date().toISOString(), finishedAt: null, error: null },
  };
}
