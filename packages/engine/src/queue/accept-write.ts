import { enqueueWrite, type Idempotency, type Scope } from '@unified/store';
import { wakeQueue } from '../jobs/wake-queue.ts';
import { activePlatform } from '../model/active-platform.ts';
import { contentHash } from '../write/content-hash.ts';
import type { EngineContext } from './engine-context.ts';
import { type Refusal, refusalOf } from './refusal-of.ts';
import type { CheckWrite, WriteRequest } from './write-request.ts';

/** A write that was asked for. `replayed`: by an earlier request with the same key. */
export interface Submitted {
  readonly writeId: string;
  readonly replayed: boolean;
}

/**
 * Queues a write at the end of the connection's queue; the connected system is called later, by a worker. With a key that
 * was used in the last 24 hours, gives the write of then. What `check` refuses, or `checkReferences`, is not queued and
 * leaves the key unused. Throws SERVICE_NOT_SUPPORTED, SERVICE_CONNECTION_INACTIVE and SERVICE_IDEMPOTENCY_MISMATCH too.
 */
export async function acceptWrite(
  parts: EngineContext,
  scope: Scope,
  request: WriteRequest,
  check?: CheckWrite,
): Promise<Submitted> {
  const { operation, targetId, input, idempotencyKey: key } = request;
  const platform = await activePlatform(parts, scope);
  const refusal = await refusalOf(scope, platform, [request], { check });
  const fingerprint = contentHash({ operation, targetId, input });
  const queue = (inner: Scope) => enqueue(inner, request, key === undefined ? undefined : { key, fingerprint });
  const submitted = refusal ? await replayOf(scope, request, queue, refusal) : await queue(scope);
  if (!submitted.replayed) await wakeQueue(parts, scope);
  return submitted;
}

/**
 * Queues the writes that one request asks for, all or none, in their order. Its key stands for all of them: used again
 * with others, with fewer or with more, it is refused. Throws as `acceptWrite` does.
 */
export async function acceptBatch(
  parts: EngineContext,
  scope: Scope,
  requests: readonly WriteRequest[],
): Promise<Submitted[]> {
  const platform = await activePlatform(parts, scope);
  const refusal = await refusalOf(scope, platform, requests, { within: (index) => `items[${index}].` });
  const fingerprint = contentHash({ items: requests.map(({ operation, input }) => ({ operation, input })) });
  const submitted = await scope.transaction(async (inner) => {
    const all: Submitted[] = [];
    for (const [index, request] of requests.entries()) {
      const key = keyOfItem(request, index);
      const queue = (within: Scope) => enqueue(within, request, key === undefined ? undefined : { key, fingerprint });
      all.push(refusal ? await replayOf(inner, request, queue, refusal) : await queue(inner));
    }
    return all;
  });
  if (submitted.some(({ replayed }) => !replayed)) await wakeQueue(parts, scope);
  return submitted;
}

/** A repetition is answered with its first result even where the record has moved on since and would refuse it now. */
async function replayOf(
  scope: Scope,
  { idempotencyKey }: WriteRequest,
  queue: (inner: Scope) => Promise<Submitted>,
  { error }: Refusal,
): Promise<Submitted> {
  if (idempotencyKey === undefined) throw error;
  return scope.transaction(async (inner) => {
    const submitted = await queue(inner);
    // Takes back what was queued just now.
    if (!submitted.replayed) throw error;
    return submitted;
  });
}

/** The first item has the key of the request, the others keys that no header can hold. */
function keyOfItem({ idempotencyKey: key }: WriteRequest, index: number): string | undefined {
  return key === undefined || index === 0 ? key : `${key}\n${index}`;
}

async function enqueue(
  scope: Scope,
  { operation, entity, op, action, targetId, input, idempotencyKey }: WriteRequest,
  idempotency: Idempotency | undefined,
): Promise<Submitted> {
  const { write, replayed } = await enqueueWrite(scope, {
    ...{ operation, entity, op, body: input },
    ...(action !== undefined && { action }),
    ...(targetId !== undefined && { targetId }),
    ...(idempotency && { idempotency, idempotencyKey: idempotencyKey ?? null }),
  });
  return { writeId: write.writeId, replayed };
}
