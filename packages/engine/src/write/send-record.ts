import { type Json, partOf, type Row, type Stream } from '@unified/connectors';
import { contentHash } from './content-hash.ts';
import type { HeldQueue } from './held-queue.ts';
import { type OpenWrite, type SendRecord, storedRecord } from './open-write.ts';
import type { PreparedWrite } from './prepare-write.ts';
import { needsRowBefore } from './same-as-sent.ts';
import { lastSent } from './steps.ts';

/** The send record of a call that is about to be made. May read from the connected system; changes nothing there. */
export async function sendRecordOf(queue: HeldQueue, write: OpenWrite, prepared: PreparedWrite): Promise<SendRecord> {
  const { stream, values, act, input, unsupported } = prepared;
  const position = write.op === 'create' ? await positionOf(queue, write, stream) : null;
  const before = provenByChange(queue, write, prepared) ? await hashOf(queue, write, prepared) : undefined;
  const previous = write.op === 'update' || write.op === 'replace' ? await previousValues(queue, write) : undefined;
  return {
    at: new Date().toISOString(),
    position,
    values,
    input,
    unsupported,
    ...(act !== null && { act }),
    ...(before !== undefined && { before }),
    ...(previous && { previous }),
  };
}

/** Position to search the row from. Of several attempts the first counts: it may still take effect. */
async function positionOf({ driver }: HeldQueue, { writeId, steps }: OpenWrite, stream: Stream): Promise<Json> {
  const earlier = lastSent(steps);
  return earlier ? earlier.prepared.sent.position : partOf(driver, 'writes').prepareCreate(stream, writeId);
}

/** Whether only a change of the row can prove the outcome: for an action without its own state, or for lines. */
function provenByChange(queue: HeldQueue, write: OpenWrite, { mapping, input, unsupported }: PreparedWrite): boolean {
  if (write.op === 'action') return targetCategory(queue, write) === undefined;
  return (write.op === 'update' || write.op === 'replace') && needsRowBefore(mapping, input, unsupported);
}

/** The `statusCategory` that an action leads to; undefined if there is not exactly one. */
export function targetCategory(
  { scope }: Pick<HeldQueue, 'scope'>,
  { entity, action }: Pick<OpenWrite, 'entity' | 'action'>,
): string | undefined {
  return scope.entities[entity]?.actions.find(({ name }) => name === action)?.to;
}

async function hashOf(
  { driver }: HeldQueue,
  { targetKey }: OpenWrite,
  { stream }: PreparedWrite,
): Promise<string | null> {
  const row = await driver.read(stream, targetKey ?? '');
  return row && contentHash(row);
}

/** Current values of the fields that the request sets or clears, in the form of a request. */
async function previousValues({ scope }: HeldQueue, { entity: name, op, targetId, body }: OpenWrite): Promise<Row> {
  const entity = scope.entities[name];
  const record = (await storedRecord(scope, name, targetId)) ?? {};
  const writable = entity?.fields.filter((field) => field.writable) ?? [];
  const fields = op === 'replace' ? writable.map((field) => field.name) : Object.keys(body);
  return Object.fromEntries(fields.map((field) => [field, record[field] ?? null]));
}
