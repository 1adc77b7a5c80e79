import { ServiceError } from '@unified/contract';
import { failureLevel, LockLost, type Scope, type StoredWrite, settle, type WriteWarning } from '@unified/store';
import { failureOf } from '../drivers/system-failure.ts';
import { differingLineFields } from './adjusted-lines.ts';
import { failWrite, postponeWrite, waitAfter } from './end-write.ts';
import { fenced, type HeldQueue, type OpenWrite, type Phase } from './open-write.ts';
import { mappingFor } from './prepare-write.ts';
import { type ReadBack, type ReadRows, readBack } from './read-back.ts';
import { type Difference, differingFields, isBlank } from './same-as-sent.ts';
import { categoryAfter } from './send-write.ts';
import { storeTogether } from './store-together.ts';
import { readTouched, requestRemaining, storeTouched, type Touched } from './touched-rows.ts';
import { believedFrom } from './verify-outcome.ts';
import { resultOf } from './write-result.ts';
import { beginStep, endStep, lastSent, type Step } from './write-steps.ts';

/**
 * Called after the connected system made the change: reads the row back, then stores it and settles the write in one
 * transaction.
 */
export async function finishWrite(queue: HeldQueue, write: OpenWrite): Promise<Phase> {
  const { stream } = mappingFor(queue.model, write);
  const key = lastSent(write.steps)?.vendorId ?? '';
  const read = beginStep(write.steps, { kind: 'read', entity: write.entity, vendorObject: stream.name, vendorId: key });
  let found: ReadBack;
  try {
    found = await readBack(queue, write, key);
    if (found.row === null && write.op === 'create') {
      throw new NotShown('SERVICE_SYSTEM_INVALID', `The connected system does not show the new ${stream.name} ${key}.`);
    }
  } catch (error) {
    return notRead(queue, write, read, error);
  }
  endStep(read, 'succeeded');
  const { row, others } = found;
  write.warnings = [...write.warnings, ...adjustments(queue, write, found), ...stateWarning(queue, write, found)];
  const main = { stream, rows: row ? [{ key, row }] : [], deleted: row ? [] : [key] };
  return storeAndSettle(queue, write, key, [...others, main]);
}

/** The connected system reported that it created a row, but does not show it. */
class NotShown extends ServiceError {}

/** Whether another user must have deleted a new row: the connected system had the time to show it. */
function isDeleted(queue: HeldQueue, { steps }: OpenWrite, error: unknown): boolean {
  const sent = lastSent(steps);
  return error instanceof NotShown && sent !== undefined && Date.now() >= believedFrom(queue, sent);
}

/** The write has succeeded even if its row cannot be read. The next sync reads the row. */
async function notRead(queue: HeldQueue, write: OpenWrite, read: Step, error: unknown): Promise<Phase> {
  endStep(read, 'failed', error);
  const { tries } = read.prepared;
  const policy = queue.policies.look;
  if (tries < policy.attempts && !isDeleted(queue, write, error)) {
    return postponeWrite(queue, write, 'unknown', waitAfter(policy, tries, error), failureOf(error));
  }
  const { writeId, steps, targetId } = write;
  const result = { id: targetId, _idValue: read.vendorId ?? '', href: null, links: [], record: {} };
  await fenced(queue, write, (scope) => settle(scope, writeId, { status: 'succeeded', result, steps }));
  queue.log.warn({ err: error, writeId }, 'write succeeded, but could not be read back');
  return 'stop';
}

async function storeAndSettle(
  queue: HeldQueue,
  write: OpenWrite,
  key: string,
  found: readonly ReadRows[],
): Promise<Phase> {
  const touched = await readTouched(queue, write);
  const step = beginStep(write.steps, { kind: 'store', entity: write.entity, vendorObject: null, vendorId: key });
  try {
    await fenced(queue, write, (scope) => settleWithin(scope, queue, write, { step, key, found, touched }));
  } catch (error) {
    return notStored(queue, write, step, error);
  }
  const { writeId, entity, op, attempts } = write;
  queue.log.info(
    { writeId, entity, op, attempts, durationMs: Date.now() - Date.parse(write.createdAt) },
    'write settled',
  );
  await requestRemaining(queue, write, touched);
  return 'stop';
}

async function settleWithin(
  scope: Scope,
  queue: HeldQueue,
  write: OpenWrite,
  { step, key, found, touched }: { step: Step; key: string; found: readonly ReadRows[]; touched: Touched },
): Promise<StoredWrite> {
  const { stream } = mappingFor(queue.model, write);
  await storeTogether(scope, queue.model, found);
  await storeTouched(scope, queue, touched);
  const result = await resultOf(scope, write, stream.name, key);
  endStep(step, 'succeeded');
  const { id } = result;
  const { steps, warnings } = write;
  const outcome = { status: 'succeeded', result, steps, warnings, synced: true } as const;
  return settle(scope, write.writeId, {
    ...outcome,
    ...(id !== null && { targetId: id }),
    ...writtenOf(scope, write, id),
  });
}

/** What a repeated request returns: the record, unless the request was an action or a delete. */
function writtenOf({ entities }: Scope, { entity: name, op }: OpenWrite, id: string | null) {
  const entity = entities[name];
  return entity && id !== null && op !== 'action' && op !== 'delete' ? { written: { entity, id } } : {};
}

/** A row that cannot be stored as a record of the entity stays in the connected system and is listed as a leftover. */
async function notStored(queue: HeldQueue, write: OpenWrite, step: Step, error: unknown): Promise<Phase> {
  if (error instanceof LockLost) throw error;
  queue.log[failureLevel(error)]({ err: error, writeId: write.writeId }, 'outcome of a write cannot be stored');
  endStep(step, 'failed', error);
  const { tries } = step.prepared;
  const policy = queue.policies.look;
  const isPassing = !(error instanceof ServiceError) || error.code === 'SERVICE_UNAVAILABLE';
  if (!isPassing || tries >= policy.attempts) return failWrite(queue, write, failureOf(error));
  return postponeWrite(queue, write, 'unknown', waitAfter(policy, tries, error), failureOf(error));
}

/**
 * One warning per field, including fields of lines, that the connected system stored with a value other than the one
 * sent: rounded, truncated or computed.
 */
function adjustments(queue: HeldQueue, write: OpenWrite, { record, others }: ReadBack): WriteWarning[] {
  const sent = lastSent(write.steps)?.prepared.sent;
  // The body of an action is not part of the record.
  if (!record || !sent || write.op === 'action' || write.op === 'delete') return [];
  const { mapping } = mappingFor(queue.model, write);
  const fields = [...differingFields(mapping, record, sent), ...differingLineFields(queue.model, record, sent, others)];
  return fields.map((each) => adjusted(queue.model.platform.name, each));
}

/**
 * A warning if the connected system accepted an action, but the record still has the state that it had before the call instead of
 * the one that the action leads to. A later state, such as ordered after an approval, needs no warning.
 */
function stateWarning(queue: HeldQueue, write: OpenWrite, { record }: ReadBack): WriteWarning[] {
  const to = write.op === 'action' ? categoryAfter(queue, write) : undefined;
  if (to === undefined) return [];
  // Null is a state that the mapping does not know.
  const held = record?.values.statusCategory ?? to;
  if (held === to || held !== lastSent(write.steps)?.prepared.sent.statusCategory) return [];
  return [unchangedState(queue.model.platform.name, write.action ?? '', { held, to })];
}

function unchangedState(
  system: string,
  action: string,
  { held, to }: { readonly held: unknown; readonly to: string },
): WriteWarning {
  const message =
    `${system} accepted the action \`${action}\`, but \`statusCategory\` is still ${JSON.stringify(held)} instead of ` +
    `${JSON.stringify(to)}. The system may have ignored the action, or may change the state later: read the record before you repeat the action.`;
  return { code: 'VALUE_ADJUSTED', field: 'statusCategory', message };
}

const BLANK = 'Text of only white space is not a value.';

/** Longest value that a warning contains, as JSON. */
const LONGEST_SHOWN = 80;

function adjusted(system: string, { field, sent, stored }: Difference): WriteWarning {
  const [wanted, held] = [shown(sent ?? null), shown(stored ?? null)];
  const message =
    wanted === undefined || held === undefined
      ? `${system} stores a different value of \`${field}\` than was sent; the record contains it.`
      : `${system} stores ${held} in \`${field}\`; ${wanted} was sent.`;
  return { code: 'VALUE_ADJUSTED', field, message: isBlank(sent) ? `${message} ${BLANK}` : message };
}

/** A plain value as JSON; undefined if it is long, or not plain. */
function shown(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) return undefined;
  const text = JSON.stringify(value);
  return text.length <= LONGEST_SHOWN ? text : undefined;
}
