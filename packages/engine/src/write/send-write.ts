import { type Json, partOf, type Row } from '@unified/connectors';
import { ServiceError } from '@unified/contract';
import { LockLost, lockWrite, type Scope, startNextAttempt } from '@unified/store';
import { failureOf, mayHaveHappened, mustNotRepeat, staysUnknown } from '../drivers/system-failure.ts';
import { mappingOfLines } from '../model/capability.ts';
import { checkUnchanged } from './check-unchanged.ts';
import { contentHash } from './content-hash.ts';
import { failNotCarriedOut, failWrite, postponeWrite, settleFailure } from './end-write.ts';
import { linesToRestore } from './given-lines.ts';
import { type HeldQueue, type OpenWrite, type Phase, saveProgress, storedRecord } from './open-write.ts';
import { type PreparedWrite, prepareWrite } from './prepare-write.ts';
import { needsRowBefore } from './same-as-sent.ts';
import {
  beginSending,
  beginStep,
  changingStep,
  endStep,
  isVerifyOnly,
  lastSent,
  type SendRecord,
  type SentStep,
} from './write-steps.ts';

/**
 * Resolves a write, maps it and sends it. Before the call, the step is committed as running, with everything that is needed to
 * find its outcome: from then on, the worker may be killed at any point.
 */
export async function sendWrite(queue: HeldQueue, write: OpenWrite): Promise<Phase> {
  const begun = await begin(queue, write);
  if (begun === 'verify only') return failNotCarriedOut(queue, write);
  if (begun === 'cancelled') return 'stop';
  try {
    await checkUnchanged(queue, write);
    const prepared = await resolve(queue, write);
    await queue.quota.run('write', async () => {
      const step = await commitSendRecord(queue, write, prepared);
      queue.assertHeld();
      step.vendorId = await callSystem(queue, write, prepared, step);
      endStep(step, 'succeeded');
    });
  } catch (error) {
    return settleCall(queue, write, error);
  }
  await saveProgress(queue, write, { durable: false });
  return 'finish';
}

/** Starts an attempt, unless the write was cancelled in the meantime or must only be verified. */
async function begin(queue: HeldQueue, write: OpenWrite): Promise<'begun' | 'cancelled' | 'verify only'> {
  queue.assertHeld();
  // If another worker has started an attempt since this one read the write, the steps that it read are outdated: `LockLost`.
  const start = async (scope: Scope) => {
    write.attempts = (await startNextAttempt(scope, write)).attempts;
    return 'begun' as const;
  };
  try {
    if (!lastSent(write.steps)) return await start(queue.scope);
    return await queue.scope.transaction(async (scope) =>
      isVerifyOnly(await lockWrite(scope, write.writeId)) ? 'verify only' : start(scope),
    );
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'SERVICE_WRITE_STATE') return 'cancelled';
    throw error;
  }
}

async function resolve(queue: HeldQueue, write: OpenWrite): Promise<PreparedWrite> {
  const step = beginStep(write.steps, { kind: 'resolve', entity: write.entity, vendorObject: null, vendorId: null });
  const prepared = await prepareWrite(queue, write);
  endStep(step, 'succeeded');
  return prepared;
}

async function commitSendRecord(queue: HeldQueue, write: OpenWrite, prepared: PreparedWrite): Promise<SentStep> {
  const sent = await sendRecordOf(queue, write, prepared);
  const { entity, targetKey } = write;
  const begun = { kind: changingStep[write.op], entity, vendorObject: prepared.stream.name, vendorId: targetKey };
  const step = beginSending(write.steps, begun, sent);
  const { warnings, resolvedRefs } = prepared;
  write.warnings = warnings;
  await saveProgress(queue, write, { warnings, resolvedRefs });
  return step;
}

/** Calls the connected system and returns the key of the row. */
async function callSystem(
  { driver }: HeldQueue,
  write: OpenWrite,
  { stream, known }: PreparedWrite,
  step: SentStep,
): Promise<string> {
  const { sent } = step.prepared;
  const intent = { writeId: write.writeId, position: sent.position, sentAt: sent.at };
  if (write.op === 'create') return (await partOf(driver, 'writes').create(stream, sent.values, intent)).key;
  const key = write.targetKey ?? '';
  if (write.op === 'delete') await partOf(driver, 'writes').remove(stream, key, intent);
  else if (write.op === 'action') await partOf(driver, 'actions').act(stream, key, sent.act ?? '', sent.values, intent);
  else await partOf(driver, 'writes').update(stream, key, sent.values, intent, known);
  return key;
}

async function settleCall(queue: HeldQueue, write: OpenWrite, error: unknown): Promise<Phase> {
  if (error instanceof LockLost) throw error;
  const step = lastSent(write.steps);
  if (step?.status !== 'running' || !mayHaveHappened(error)) return settleFailure(queue, write, error);
  queue.log.warn({ err: error, writeId: write.writeId }, 'outcome of a write is unknown');
  endStep(step, 'unknown', error);
  if (mustNotRepeat(error)) step.prepared = { ...step.prepared, sentOnce: true };
  if (staysUnknown(error)) {
    step.prepared = { ...step.prepared, staysUnknown: true };
    return failWrite(queue, write, failureOf(error));
  }
  await postponeWrite(queue, write, 'unknown', 0, failureOf(error));
  return 'verify';
}

/** The send record of a call that is about to be made. May read from the connected system, but changes nothing there. */
async function sendRecordOf(queue: HeldQueue, write: OpenWrite, prepared: PreparedWrite): Promise<SendRecord> {
  const { values, act, input, unsupported } = prepared;
  const position = write.op === 'create' ? await positionOf(queue, write, prepared) : null;
  const before = provenByChange(queue, write, prepared) ? await hashOf(queue, write, prepared) : undefined;
  const previous =
    write.op === 'update' || write.op === 'replace' ? await previousValues(queue, write, input) : undefined;
  return {
    at: new Date().toISOString(),
    position,
    values,
    input,
    unsupported,
    ...(act !== null && { act }),
    ...(before !== undefined && { before }),
    ...(previous && { previous }),
    ...(await stateBefore(queue, write)),
  };
}

/** Position from which to search for the row: the one of the first attempt, which may still take effect. */
async function positionOf(
  { driver }: HeldQueue,
  { writeId, steps }: OpenWrite,
  { stream, values }: PreparedWrite,
): Promise<Json> {
  const earlier = lastSent(steps);
  if (earlier) return earlier.prepared.sent.position;
  return partOf(driver, 'writes').positionBeforeCreate(stream, writeId, values);
}

/**
 * Whether only a change of the row can prove the outcome. This is the case for lines, and for an action without its own state.
 */
function provenByChange(queue: HeldQueue, write: OpenWrite, { mapping, input, unsupported }: PreparedWrite): boolean {
  if (write.op === 'action') return categoryAfter(queue, write) === undefined;
  return (write.op === 'update' || write.op === 'replace') && needsRowBefore(mapping, input, unsupported);
}

/** The `statusCategory` that an action leads to; undefined if there is not exactly one. */
export function categoryAfter(
  { scope }: Pick<HeldQueue, 'scope'>,
  { entity, action }: Pick<OpenWrite, 'entity' | 'action'>,
): string | undefined {
  return scope.entities[entity]?.actions.find(({ name }) => name === action)?.to;
}

/** The stored state of the record of an action that leads to another one; a sync may replace it before the outcome is known. */
async function stateBefore(queue: HeldQueue, write: OpenWrite): Promise<Pick<SendRecord, 'statusCategory'>> {
  if (write.op !== 'action' || categoryAfter(queue, write) === undefined) return {};
  const record = await storedRecord(queue.scope, write.entity, write.targetId);
  return { statusCategory: record?.statusCategory ?? null };
}

async function hashOf(
  { driver }: HeldQueue,
  { targetKey }: OpenWrite,
  { stream }: PreparedWrite,
): Promise<string | null> {
  const row = await driver.read(stream, targetKey ?? '');
  return row && contentHash(row);
}

/**
 * Current values of the fields that the request sets or clears, in the form of a request. Those of fields that are written but not
 * read are unknown: a reversal must not clear them.
 */
async function previousValues(
  { scope, model }: HeldQueue,
  { entity: name, op, targetId, body }: OpenWrite,
  input: Row,
): Promise<Row> {
  const entity = scope.entities[name];
  const record = (await storedRecord(scope, name, targetId)) ?? {};
  const writable = entity?.fields.filter((field) => field.writable) ?? [];
  const read = new Set(['customFields', ...(model.mappings[name]?.fields ?? [])]);
  const sent = op === 'replace' ? writable.map((field) => field.name) : Object.keys(body);
  const fields = sent.filter((field) => read.has(field));
  const values = await Promise.all(
    fields.map(async (each) => {
      const field = entity?.field[each];
      const lines = field?.holdsLines ? mappingOfLines(model, name, field) : undefined;
      return [each, await linesToRestore(scope, field, record[each] ?? null, lines)] as const;
    }),
  );
  const { customFields, ...previous } = Object.fromEntries(values);
  const changed = Object.keys((input.customFields ?? {}) as Row);
  if (changed.length === 0) return previous;
  const held = (customFields ?? {}) as Row;
  return { ...previous, customFields: Object.fromEntries(changed.map((each) => [each, held[each] ?? null])) };
}
