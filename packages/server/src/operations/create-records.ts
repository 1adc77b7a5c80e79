import type { Entity } from '@unified/contract';
import { orInDoubt, type WriteRequest } from '@unified/engine';
import { entityIn, find, type WriteRecord, writtenRecord } from '@unified/store';
import { shownText } from '../query/field-selection.ts';
import { entityOfOperation, entityToCreate, inputOf, type StoredEntity } from './addressed-entity.ts';
import type { DataContext } from './context.ts';
import { idempotencyKeyOf, isStrict, OUTCOME_WAIT_MS, parsePrefer, type WriteParameters } from './queue-write.ts';
import { checkFields } from './token-limits.ts';
import { shownWrite } from './visible-writes.ts';
import { WriteFailure } from './write-response.ts';

/** A request to create several records of one entity. */
interface BatchRequest extends Pick<WriteParameters, 'headers'> {
  readonly body: { readonly items: readonly Readonly<Record<string, unknown>>[] };
}

/** An item of a batch after it was queued. */
interface Queued {
  readonly addressed: Entity;
  readonly stored: StoredEntity;
  readonly writeId: string;
  readonly replayed: boolean;
}

/**
 * Handles any create of several records. Either all items are accepted or none; each is a separate write, in the order in which
 * they were sent. Returns 200 if every outcome is known in time, otherwise 202.
 */
export async function createRecords(request: BatchRequest, context: DataContext) {
  const queued = await queueAll(request, context);
  const { milliseconds, applied } = parsePrefer(request.headers.Prefer, OUTCOME_WAIT_MS);
  const { writes, results } = await orInDoubt(
    () => queued[0]?.writeId,
    async () => {
      const writes = await settled(context, queued, milliseconds);
      const results = await Promise.all(writes.map((write, index) => resultOf(context, queued[index], write, index)));
      return { writes, results };
    },
  );
  return {
    status: writes.every(({ finishedAt }) => finishedAt !== null) ? 200 : 202,
    body: { json: `{"data":[${results.join(',')}]}` },
    headers: {
      ...(applied !== undefined && { 'Preference-Applied': applied }),
      ...(queued.every(({ replayed }) => replayed) && { 'Idempotency-Replayed': 'true' }),
    },
  } as const;
}

/** If one item is refused (`SERVICE_IDEMPOTENCY_MISMATCH`), all are. */
async function queueAll({ headers, body }: BatchRequest, context: DataContext): Promise<Queued[]> {
  const { engine, operation, scope, narrow } = context;
  const addressed = entityOfOperation(context);
  for (const item of body.items) checkFields(entityIn(scope, addressed.name), narrow, item);
  const idempotencyKey = idempotencyKeyOf(headers);
  const items = body.items.map((item) => ({ item, stored: entityToCreate(scope, addressed, item) }));
  const requests = items.map(
    ({ item, stored }): WriteRequest => ({
      operation: operation.id,
      entity: stored.entity.name,
      op: 'create',
      input: inputOf(addressed, stored, 'create', item),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(isStrict(headers.Prefer) && { isStrict: true }),
    }),
  );
  const submitted = await engine.submitBatch(scope, requests);
  return items.flatMap(({ stored }, index) => {
    const write = submitted[index];
    return write ? [{ addressed, stored, ...write }] : [];
  });
}

/** The writes once all of them are settled, or in their current state when the time is up. */
async function settled({ engine, scope }: DataContext, queued: readonly Queued[], milliseconds: number) {
  const until = performance.now() + milliseconds;
  const writes: WriteRecord[] = [];
  for (const { writeId } of queued)
    writes.push(await engine.waitForWrite(scope, writeId, Math.max(0, until - performance.now())));
  return writes;
}

async function resultOf(context: DataContext, queued: Queued | undefined, write: WriteRecord, index: number) {
  const { scope } = context;
  const visible = shownWrite(write, context);
  const { status, writeId, result, warnings } = visible;
  const id = status === 'succeeded' ? result?.id : undefined;
  const original = queued?.replayed ? await writtenRecord(scope, writeId) : null;
  const record = original ?? (queued && typeof id === 'string' ? await find(scope, queued.stored.entity, id) : null);
  const about = `"index":${index},"status":"${status}","writeId":"${writeId}"`;
  const [noted, error] = [JSON.stringify(warnings), JSON.stringify(errorOf(visible))];
  const shown = queued && record ? shownText(queued.addressed, record) : null;
  return `{${about},"record":${shown},"warnings":${noted},"error":${error}}`;
}

/** The error of a finished write that did not succeed; null if it succeeded or is in progress. */
function errorOf(write: WriteRecord): Pick<WriteFailure, 'code' | 'message' | 'details'> | null {
  if (write.status === 'succeeded' || (write.finishedAt === null && write.status !== 'unknown')) return null;
  const { code, message, details } = new WriteFailure(write);
  return { code, message, details };
}
