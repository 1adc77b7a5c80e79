import { type ErrorCode, errorTable } from '@unified/contract';
import { type Enqueued, enqueueWrite, type Idempotency, lockWrite, type NewWrite, type Scope } from '@unified/store';
import { currentTraceparent } from '@unified/tracing';
import { wakeQueue } from '../jobs/jobs.ts';
import { activeModel } from '../model/active-model.ts';
import type { ConnectionModel } from '../model/connection-model.ts';
import { checkNewLines } from '../write/complete-lines.ts';
import { contentHash } from '../write/content-hash.ts';
import { checkCustomFields } from '../write/given-custom-fields.ts';
import { unknownLines } from '../write/given-lines.ts';
import {
  type GivenReference,
  keyOf,
  meantBy,
  noMatch,
  type ReferenceFault,
  referenceFault,
  referencesIn,
  targetsIn,
  unresolved,
  type WriteBody,
} from '../write/given-references.ts';
import { findTargets, mappingFor } from '../write/prepare-write.ts';
import { checkSupported } from '../write/supported-fields.ts';
import { awaitsPerson } from '../write/write-steps.ts';
import { retryWrite } from './write-actions.ts';
import { orInDoubt } from './write-in-doubt.ts';
import type { CheckWrite, EngineContext, WriteRequest } from './write-request.ts';

/** A requested write. `replayed` means that it was already queued by an earlier request with the same key. */
export interface Submitted {
  readonly writeId: string;
  readonly replayed: boolean;
}

/**
 * Adds a write to the end of the connection's queue; a worker calls the connected system later. With a key that was used in the
 * last 24 hours, returns the first write. A write that `check` or `checkReferences` refuses is not queued and leaves the key
 * unused. Also throws SERVICE_NOT_SUPPORTED, SERVICE_CONNECTION_INACTIVE, SERVICE_IDEMPOTENCY_MISMATCH and `WriteInDoubt`.
 */
export async function acceptWrite(
  context: EngineContext,
  scope: Scope,
  request: WriteRequest,
  check?: CheckWrite,
): Promise<Submitted> {
  const { operation, targetId, input, idempotencyKey: key, ifMatch, sentHashes = ifMatch } = request;
  const model = await activeModel(context, scope);
  const refusal = await refusalOf(scope, model, [request], { check });
  const fingerprint = contentHash({ operation, targetId, input, ...(sentHashes && { ifMatch: sentHashes }) });
  const queue = (inner: Scope) => enqueue(inner, request, key === undefined ? undefined : { key, fingerprint });
  const submitted = refusal ? await replayOf(scope, request, queue, refusal) : await queue(scope);
  if (!submitted.replayed) await wakeQueue(context, scope);
  return submitted;
}

/**
 * Queues the writes of one request in order, all or none. Its key applies to all of them: if it is used again with other, fewer
 * or more writes, the request is refused. Throws the same errors as `acceptWrite`.
 */
export async function acceptBatch(
  context: EngineContext,
  scope: Scope,
  requests: readonly WriteRequest[],
): Promise<Submitted[]> {
  const model = await activeModel(context, scope);
  const refusal = await refusalOf(scope, model, requests, { list: 'items' });
  const fingerprint = contentHash({ items: requests.map(({ operation, input }) => ({ operation, input })) });
  let first: string | undefined;
  const queueAll = async (inner: Scope) => {
    const all: Submitted[] = [];
    for (const [index, request] of requests.entries()) {
      const key = keyOfItem(request, index);
      const queue = (within: Scope) => enqueue(within, request, key === undefined ? undefined : { key, fingerprint });
      all.push(refusal ? await replayOf(inner, request, queue, refusal) : await queue(inner));
    }
    first = all[0]?.writeId;
    return all;
  };
  const submitted = await orInDoubt(
    () => first,
    () => scope.transaction(queueAll),
  );
  if (submitted.some(({ replayed }) => !replayed)) await wakeQueue(context, scope);
  return submitted;
}

/** A repeated request gets its first result even if the current state of the record no longer allows it. */
async function replayOf(
  scope: Scope,
  { idempotencyKey }: WriteRequest,
  queue: (inner: Scope) => Promise<Submitted>,
  { error }: Refusal,
): Promise<Submitted> {
  if (idempotencyKey === undefined) throw error;
  return scope.transaction(async (inner) => {
    const submitted = await queue(inner);
    // Undoes the enqueuing above.
    if (!submitted.replayed) throw error;
    return submitted;
  });
}

/** The first item has the key of the request; the others have keys that no header can contain. */
function keyOfItem({ idempotencyKey: key }: WriteRequest, index: number): string | undefined {
  return key === undefined || index === 0 ? key : `${key}\n${index}`;
}

/** What is needed to decide whether writes are refused before they are queued. */
interface Refusal {
  readonly error: unknown;
}

interface Judging {
  /** The caller's check of a single write. */
  readonly check?: CheckWrite | undefined;
  /** List in the request that contains the bodies, such as `items`; if absent, the request is the body. */
  readonly list?: string;
}

/**
 * Why writes to one entity are refused; undefined if they are valid. Throws SERVICE_NOT_SUPPORTED if the connected system does
 * not support them. That comes first, because correcting other errors would not help.
 */
export async function refusalOf(
  scope: Scope,
  model: ConnectionModel,
  requests: readonly WriteRequest[],
  { check, list }: Judging,
): Promise<Refusal | undefined> {
  for (const { entity, op, action = null } of requests) mappingFor(model, { entity, op, action });
  const actions = Object.keys(model.mappings[requests[0]?.entity ?? '']?.actions ?? {});
  const bodies = requests.map(({ input: body, ...write }) => ({ ...write, body }));
  const isStrict = requests.some((request) => request.isStrict);
  const checks = await Promise.allSettled([
    check?.({ actions }),
    checkNewLines(scope, bodies, list),
    checkCustomFields(scope, model, bodies, list),
    checkReferences(scope, model, bodies, list),
    isStrict && checkSupported({ scope, model }, bodies, list),
  ]);
  const refused = checks.find((each) => each.status === 'rejected');
  return refused && { error: refused.reason };
}

/**
 * A repeated create, update or delete whose write failed for a reason outside the request, such as an unavailable connected
 * system, is queued again. It is the same write, and it is verified first if it may have taken effect. A write whose outcome only a
 * person can find is not queued again.
 */
async function enqueueOrRetry(scope: Scope, given: NewWrite): Promise<Enqueued> {
  const enqueued = await enqueueWrite(scope, given);
  if (!enqueued.replayed || given.op === 'action') return enqueued;
  const write = await lockWrite(scope, enqueued.write.writeId);
  if (write?.status !== 'failed' || !write.error || !mayPass(write.error.code) || awaitsPerson(write)) return enqueued;
  return { write: await retryWrite(scope, write.writeId), replayed: false };
}

/** Whether the same request may succeed later, for example with new credentials. */
function mayPass(code: ErrorCode): boolean {
  return errorTable[code].retryable || code === 'SERVICE_SYSTEM_UNAUTHORIZED';
}

async function enqueue(
  scope: Scope,
  { operation, entity, op, action, targetId, input, idempotencyKey, ifMatch }: WriteRequest,
  idempotency: Idempotency | undefined,
): Promise<Submitted> {
  let writeId: string | undefined;
  return orInDoubt(
    () => writeId,
    () =>
      scope.transaction(async (inner) => {
        const { write, replayed } = await enqueueOrRetry(inner, {
          operation,
          entity,
          op,
          body: input,
          ifMatch,
          traceparent: currentTraceparent(),
          ...(action !== undefined && { action }),
          ...(targetId !== undefined && { targetId }),
          ...(idempotency && { idempotency, idempotencyKey: idempotencyKey ?? null }),
        });
        writeId = write.writeId;
        return { writeId, replayed };
      }),
  );
}

/**
 * Refuses references that can never match a record, before anything is queued: those that the document does not allow, and
 * those whose `id` belongs to no record of the entity or to a deleted one. This service issues ids and never reuses them, so an
 * unknown `id` stays unknown. The worker checks other keys, because an earlier write or the connected system may still create
 * the record. `list` is the list in the request that contains the bodies. Throws SERVICE_UNRESOLVED_REFERENCE with all faults.
 */
async function checkReferences(
  scope: Scope,
  model: ConnectionModel,
  bodies: readonly WriteBody[],
  list?: string,
): Promise<void> {
  const within = (index: number) => (list === undefined ? '' : `${list}[${index}].`);
  const all = bodies.flatMap((written, index) =>
    referencesIn(targetsIn(scope, written), written.body).map((reference) => ({
      ...reference,
      field: `${within(index)}${reference.field}`,
    })),
  );
  const lines = await Promise.all(bodies.map((written) => unknownLines(scope, written)));
  const wrongLines = lines.flatMap((faults, index) => faults.map((fault) => withinBody(fault, within(index))));
  if (all.length === 0 && wrongLines.length === 0) return;
  const wrong = new Map(all.map((reference) => [reference, referenceFault(reference)]));
  const byId = all.filter((reference) => !wrong.get(reference) && keyOf(reference)?.property === 'id');
  for (const fault of await unknownIds(scope, model, byId)) wrong.set(fault.reference, fault);
  const named = new Set(wrongLines.map(({ reference }) => reference.field));
  const others = [...wrong.values()].filter((fault) => fault !== undefined);
  const faults = [...wrongLines, ...others.filter(({ reference }) => !named.has(reference.field))];
  if (faults.length > 0) throw unresolved(faults);
}

function withinBody(fault: ReferenceFault, path: string): ReferenceFault {
  return { ...fault, reference: { ...fault.reference, field: `${path}${fault.reference.field}` } };
}

/** References whose `id` matches no record. References to entities that the system does not have are not checked. */
async function unknownIds(
  scope: Scope,
  model: ConnectionModel,
  references: readonly GivenReference[],
): Promise<ReferenceFault[]> {
  const judged = references.flatMap((reference) => {
    const kinds = meantBy(reference).filter((entity) => Object.hasOwn(model.mappings, entity));
    const id = keyOf(reference)?.value.toLowerCase();
    return kinds.length > 0 && id !== undefined ? [{ reference, kinds, id }] : [];
  });
  const wanted = new Map<string, Set<string>>();
  for (const { kinds, id } of judged)
    for (const kind of kinds) wanted.set(kind, (wanted.get(kind) ?? new Set()).add(id));
  const found = await Promise.all([...wanted].map(([kind, ids]) => findTargets(scope, kind, 'id', [...ids])));
  const known = new Set(found.flat().map(({ entity, id }) => `${entity} ${id}`));
  return judged
    .filter(({ kinds, id }) => !kinds.some((kind) => known.has(`${kind} ${id}`)))
    .map(({ reference }) => noMatch(reference));
}
