import type { Json, Row, Stream } from '@unified/connectors';
import type { Lane } from './held-queue.ts';
import { contentHash } from './content-hash.ts';
import type { PreparedWrite } from './prepare-write.ts';
import { needsRowBefore } from './same-as-sent.ts';
import { lastSent } from './steps.ts';
import { storedRecord } from './stored-record.ts';
import type { OpenWrite, Sent } from './open-write.ts';

/** What is kept of a call that is about to be made. May read from the connected system; changes nothing there. */
export async function intentOf(lane: Lane, write: OpenWrite, prepared: PreparedWrite): Promise<Sent> {
  const { stream, values, act, input, unsupported } = prepared;
  const position = write.op === 'create' ? await positionOf(lane, write, stream) : null;
  const before = provenByChange(lane, write, prepared) ? await hashOf(lane, write, prepared) : undefined;
  const previous = write.op === 'update' || write.op === 'replace' ? await previousValues(lane, write) : undefined;
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

/** Where to look for the row from. Of several sendings the first counts: it may take effect after all. */
async function positionOf({ driver }: Lane, { writeId, steps }: OpenWrite, stream: Stream): Promise<Json> {
  const earlier = lastSent(steps);
  return earlier ? earlier.prepared.sent.position : driver.prepareCreate(stream, writeId);
}

/** Whether only a change of the row can prove the outcome: an action without a state of its own, or lines. */
function provenByChange(lane: Lane, write: OpenWrite, { mapping, input, unsupported }: PreparedWrite): boolean {
  if (write.op === 'action') return targetCategory(lane, write) === undefined;
  return (write.op === 'update' || write.op === 'replace') && needsRowBefore(mapping, input, unsupported);
}

/** The `statusCategory` that an action leads to, where it is a single one. */
export function targetCategory(
  { scope }: Pick<Lane, 'scope'>,
  { entity, action }: Pick<OpenWrite, 'entity' | 'action'>,
): string | undefined {
  return scope.entities[entity]?.actions.find(({ name }) => name === action)?.to;
}

async function hashOf({ driver }: Lane, { targetKey }: OpenWrite, { stream }: PreparedWrite): Promise<string | null> {
  const row = await driver.read(stream, targetKey ?? '');
  return row && contentHash(row);
}

/** What the fields that the request sets or clears hold now, in the form of a request. */
async function previousValues({ scope }: Lane, { entity: name, op, targetId, body }: OpenWrite): Promise<Row> {
  const entity = scope.entities[name];
  const record = (await storedRecord(scope, name, targetId)) ?? {};
  const writable = entity?.fields.filter((field) => field.writable) ?? [];
  const fields = op === 'replace' ? writable.map((field) => field.name) : Object.keys(body);
  return Object.fromEntries(fields.map((field) => [field, record[field] ?? null]));
}
