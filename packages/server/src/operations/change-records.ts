import { ServiceError } from '@unified/contract';
import { entityIn, find, writtenRecord } from '@unified/store';
import { shownText } from '../query/field-selection.ts';
import { labelledText } from '../query/hidden-labels.ts';
import type { NarrowedEntity } from '../query/token-access.ts';
import {
  entityOfOperation,
  entityOfRecord,
  entityToCreate,
  inputOf,
  type StoredEntity,
  writableRecord,
} from './addressed-entity.ts';
import type { DataContext } from './context.ts';
import {
  accepted,
  OUTCOME_WAIT_MS,
  type Outcome,
  queueWrite,
  type RequestedWrite,
  type WriteParameters,
} from './queue-write.ts';
import { expectedVersions, recordTag } from './tagged.ts';
import { checkFields } from './token-limits.ts';
import { throwFailure } from './write-response.ts';

type Input = Readonly<Record<string, unknown>>;
interface WithBody extends WriteParameters {
  readonly body: Input;
}
/** A change of one record. */
export interface Change {
  readonly op: 'update' | 'replace' | 'delete';
  readonly id: string;
  readonly input: Input;
}
interface WithId extends WriteParameters {
  readonly path: { readonly id: string };
}

/** Handles any create: returns 201 with the record, 200 for a replay, or 202 if the outcome is not known in time. */
export async function createRecord(request: WithBody, context: DataContext) {
  const addressed = entityOfOperation(context);
  checkFields(entityIn(context.scope, addressed.name), context.narrow, request.body);
  const stored = entityToCreate(context.scope, addressed, request.body);
  const input = inputOf(addressed, stored, 'create', request.body);
  const intent: RequestedWrite = { entity: stored.entity.name, op: 'create', input };
  const outcome = await queueWrite(context, request, intent, OUTCOME_WAIT_MS);
  return written(context, { addressed, stored }, outcome, 201);
}

/** Handles any update (PATCH): only the fields of the body are set or cleared. */
export function updateRecord(request: WithBody & WithId, context: DataContext) {
  return changeRecord(request, context, entityOfOperation(context), {
    op: 'update',
    id: request.path.id,
    input: request.body,
  });
}

/** Handles any replacement (PUT): the body contains all writable fields. */
export function replaceRecord(request: WithBody & WithId, context: DataContext) {
  const entity = entityOfOperation(context);
  return changeRecord(request, context, entity, { op: 'replace', id: request.path.id, input: request.body });
}

/** Handles any delete: returns 204, or 202 if the outcome is not known in time. */
export async function deleteRecord(request: WithId, context: DataContext) {
  const addressed = entityOfOperation(context);
  const change = { op: 'delete', id: request.path.id, input: {} } as const;
  const stored = await entityOfRecord(context.scope, addressed, change.id);
  const outcome = await writeExisting(request, context, { addressed, stored, change });
  if (outcome.asynchronous) return accepted(outcome);
  throwFailure(outcome.write);
  return outcome.write.status === 'succeeded' ? { status: 204, headers: outcome.headers } : accepted(outcome);
}

/** Changes one record and returns 200 with it, or 202 if the outcome is not known in time. */
export async function changeRecord(
  request: WriteParameters,
  context: DataContext,
  addressed: NarrowedEntity,
  change: Change,
) {
  const stored = await entityOfRecord(context.scope, addressed, change.id);
  const outcome = await writeExisting(request, context, { addressed, stored, change });
  return written(context, { addressed, stored }, outcome, 200);
}

/** The entity at the address of a request, and the entity that its record belongs to. */
interface Entities {
  readonly addressed: NarrowedEntity;
  readonly stored: StoredEntity;
}
interface Existing extends Entities {
  readonly change: Change;
}

async function writeExisting(request: WriteParameters, context: DataContext, { addressed, stored, change }: Existing) {
  const { op, id } = change;
  checkFields(entityIn(context.scope, addressed.name), context.narrow, change.input);
  const input = inputOf(addressed, stored, op, change.input);
  const expected = await expectedVersions(context, addressed, id);
  const intent: RequestedWrite = { entity: stored.entity.name, op, targetId: id, input, ...expected };
  return queueWrite(context, request, intent, OUTCOME_WAIT_MS, async () => {
    await writableRecord(context.scope, addressed, id, expected.ifMatch);
  });
}

async function written<Status extends 200 | 201>(
  context: DataContext,
  { addressed, stored }: Entities,
  outcome: Outcome,
  status: Status,
) {
  if (outcome.asynchronous) return accepted(outcome);
  throwFailure(outcome.write);
  const id = outcome.write.result?.id ?? outcome.write.targetId;
  const succeeded = outcome.write.status === 'succeeded' && id !== null;
  const { writeId } = outcome.write;
  const read = async () => {
    const original = outcome.replayed ? await writtenRecord(context.scope, writeId) : null;
    return original ?? (succeeded ? find(context.scope, stored.entity, id) : undefined);
  };
  // A write can succeed before its record is readable here, which the write record shows as `synced`; and a database that is lost
  // after it succeeded must not make the client repeat it.
  const text = await read().catch(unlessUnavailable);
  if (text === undefined) return accepted(outcome);
  const data = shownText(addressed, text);
  const ETag = recordTag(addressed, labelledText(addressed, text), data);
  return {
    status: outcome.replayed ? 200 : status,
    body: { json: `{"data":${data}}` },
    headers: { ...outcome.headers, ETag },
  } as const;
}

/** Nothing if the database is unreachable. Throws any other error. */
function unlessUnavailable(error: unknown): undefined {
  if (!(error instanceof ServiceError) || error.code !== 'SERVICE_UNAVAILABLE') throw error;
}
