import { recordAddress, ServiceError } from '@unified/contract';
import {
  type Change,
  type ChangesToPrepare,
  changesAfter,
  changesToPrepare,
  countPending,
  documents,
  type EventKind,
  eventIdOf,
  kindsOf,
  latestChange,
  type PreparedDelivery,
  type Scope,
  type SendingEndpoint,
  type Store,
  storePrepared,
} from '@unified/store';

/**
 * Maximum number of deliveries that wait for an endpoint. More changes are prepared once some have been accepted; until then,
 * the log keeps them.
 */
const MOST_PENDING = 1_000;

/** Number of changes that are prepared at a time. */
const AT_ONCE = 200;

/** Maximum size in bytes of a record in an event. */
const LARGEST_RECORD = 256_000;

/**
 * Prepares deliveries of the next changes that concern an endpoint, unless many are pending. Returns whether the position of the
 * endpoint has moved: there may be more, even if none of these changes concern it.
 */
export async function prepareChanges(store: Store, endpoint: SendingEndpoint): Promise<boolean> {
  const next = await changesToPrepare(store, endpoint.id);
  if (!next || (await countPending(store, endpoint.id, MOST_PENDING)) >= MOST_PENDING) return false;
  const { applicationId } = endpoint;
  const scope = store.scope({ applicationId, connectionId: next.connectionId });
  const { changes, reached } = await readChanges(scope, endpoint, next);
  // In a distributed database, changes can become visible later than the cursor of their log.
  if (reached === next.seq) return false;
  const deliveries = await preparedDeliveries(scope, endpoint, changes);
  return storePrepared(store, endpoint.id, next, { reached, deliveries });
}

/** The changes that concern the endpoint, and the position up to which the log was read. */
async function readChanges(
  scope: Scope,
  endpoint: SendingEndpoint,
  { seq, lastSeq, since, until }: ChangesToPrepare,
): Promise<{ readonly changes: readonly Change[]; readonly reached: number }> {
  const { entities } = endpoint;
  const selection = { kinds: kindsOf(endpoint), ...(entities.length > 0 && { entities }) };
  const read = (cursor: string | null) => changesAfter(scope, cursor, AT_ONCE, selection);
  const found = await read(String(seq)).catch(async (error: unknown) => {
    const code = error instanceof ServiceError ? error.code : undefined;
    // The endpoint was inactive for longer than changes are kept, so it receives those that remain.
    if (code === 'SERVICE_CURSOR_EXPIRED') return read(null);
    // The log was restored from a backup.
    if (code === 'SERVICE_INVALID_CURSOR') return { changes: [], cursor: await latestChange(scope) };
    throw error;
  });
  const last = lastSeq ?? Number.POSITIVE_INFINITY;
  const inPeriod = ({ seq: place, at }: Change) =>
    place <= last && (since === null || at > since) && (until === null || at <= until);
  return { changes: found.changes.filter(inPeriod), reached: Number(found.cursor) };
}

async function preparedDeliveries(
  scope: Scope,
  { payload }: SendingEndpoint,
  changes: readonly Change[],
): Promise<PreparedDelivery[]> {
  const records = payload === 'full' ? await recordsOf(scope, changes) : new Map<string, string>();
  return changes.map((change) => {
    const { seq, kind, entity, id, fields, at } = change;
    const type: EventKind = `record.${kind}`;
    const href = recordAddress(scope.publicUrl, scope.entities[entity]?.collection ?? '', id);
    const shown = JSON.stringify({ seq, kind, entity, id, fields, href, at });
    const record = records.get(id);
    const full = record === undefined ? shown : `${shown.slice(0, -1)},"record":${record}}`;
    return {
      eventId: eventIdOf(scope.connectionId, change),
      seq,
      type,
      subject: `record ${id}`,
      body: `{"type":"${type}","timestamp":"${at}","data":{"connectionId":"${scope.connectionId}","change":${full}}}`,
    };
  });
}

/** The records of changes as JSON, by id, except those that are too large for an event. */
async function recordsOf(scope: Scope, changes: readonly Change[]): Promise<Map<string, string>> {
  const records = new Map<string, string>();
  for (const [name, group] of Map.groupBy(changes, ({ entity }) => entity)) {
    const entity = scope.entities[name];
    const found = entity ? await documents(scope, entity, [...new Set(group.map(({ id }) => id))]) : [];
    for (const [id, text] of found) if (Buffer.byteLength(text) <= LARGEST_RECORD) records.set(id, text);
  }
  return records;
}
