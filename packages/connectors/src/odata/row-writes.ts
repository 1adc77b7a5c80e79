import type { IncomingHttpHeaders } from 'node:http';
import { asSentence } from '../as-sentence.ts';
import type { Intent, KnownLists, Row, RowWrites } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { asReason, isPermanent, SystemError } from '../system-error.ts';
import { createdMarker } from './created-marker.ts';
import { encodeDeep, encodeEntity } from './encode-entity.ts';
import { findCreated, positionBefore, refuseUnfindable } from './find-created.ts';
import { entityIn, rowOf } from './list-page.ts';
import type { ODataRequest, ODataSession } from './odata-session.ts';
import { odataOptions } from './options.ts';
import { relatedRequests } from './related-writes.ts';
import { sendInOrder } from './send-in-order.ts';
import { propertyOf, type Source, sourceOf } from './source.ts';
import { existingEntity, storedEntity } from './stored-entity.ts';

/** Creates, changes and deletes entities. A change is sent with the ETag of the entity as it was read immediately before. */
export function rowWrites(session: ODataSession, settleAfterMs: number): RowWrites {
  return {
    positionBeforeCreate: async (stream, _writeId, values) =>
      positionBefore(session, await sourceOf(session, stream), sent(stream, values)),
    create: async (stream, values, intent) =>
      create(session, await sourceOf(session, stream), sent(stream, values), intent),
    async findCreated(stream, values, intent) {
      return findCreated(session, await sourceOf(session, stream), sent(stream, values), { intent, settleAfterMs });
    },
    async update(stream, key, values, _intent, known) {
      await update(session, await sourceOf(session, stream), key, { values: sent(stream, values), known });
    },
    async remove(stream, key) {
      const stored = await storedEntity(session, await sourceOf(session, stream), key);
      if (!stored) return;
      const request: ODataRequest = { method: 'DELETE', path: stored.path, headers: stored.match, changes: true };
      await session.send(request).catch((error: unknown) => {
        if (!(error instanceof SystemError) || error.kind !== 'gone') throw error;
      });
    },
  };
}

function sent(stream: Stream, values: Row): Row {
  const { unsent = [] } = odataOptions.stream(stream);
  return Object.fromEntries(Object.entries(values).filter(([name]) => !unsent.includes(name)));
}

async function create(session: ODataSession, source: Source, values: Row, intent: Intent): Promise<{ key: string }> {
  const { writeId, position } = intent;
  const { set, metadata, options } = source;
  const { marker } = options;
  const marked = marker === undefined ? {} : { [marker]: createdMarker(writeId, propertyOf(source, marker)) };
  const body = encodeDeep({ ...values, ...marked }, set.type, metadata);
  refuseUnfindable(source, values, position);
  const headers = metadata.version === 4 ? { prefer: 'return=representation' } : {};
  const request: ODataRequest = { method: 'POST', path: set.name, body, headers, changes: true };
  const { value, headers: received } = await session.send(request);
  const key = keyIn(source, value) ?? (await keyOfCreated(session, source, values, { intent, received }));
  if (key !== null) return { key };
  throw unconfirmed(`${UNNAMED}, and does not list it`);
}

const UNNAMED = 'The service accepted the create without returning the new record';

function unconfirmed(words: string, clientWords = words): SystemError {
  const withRemedy = (text: string) => `${asSentence(text)} Check whether it exists before you repeat the write`;
  return new SystemError('unconfirmed', withRemedy(words), { clientWords: withRemedy(clientWords) });
}

/** The key of the entity in the response to a create; null if it contains none. */
function keyIn(source: Source, value: unknown): string | null {
  try {
    return rowOf(source, entityIn(value)).key;
  } catch (error) {
    if (error instanceof SystemError && error.kind === 'invalid') return null;
    throw error;
  }
}

/** The key of the new entity at the address that the response names, or else in the list; null if neither has it. */
async function keyOfCreated(
  session: ODataSession,
  source: Source,
  values: Row,
  { intent, received }: { readonly intent: Intent; readonly received: IncomingHttpHeaders },
): Promise<string | null> {
  try {
    const named = await keyAtAddress(session, source, received);
    return named ?? (await findCreated(session, source, values, { intent, settleAfterMs: 0 }))?.key ?? null;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    if (isPermanent(error))
      throw unconfirmed(`${UNNAMED}. ${asReason(error.words)}`, `${UNNAMED}. ${asReason(error.clientWords)}`);
    const begun = `${UNNAMED}, and it cannot be read`;
    throw new SystemError('unsearched', `${begun}: ${error.words}`, {
      clientWords: `${begun}: ${error.clientWords}`,
      retryAfter: error.retryAfter,
      cause: error,
    });
  }
}

/**
 * The key of the entity at the address that a response names; null if it is not there, or cannot be read: some services have no
 * read by key, or return an address at which they report progress, or that only their proxy can call.
 *
 * @throws {SystemError} if the service requests a pause
 */
async function keyAtAddress(
  session: ODataSession,
  source: Source,
  received: IncomingHttpHeaders,
): Promise<string | null> {
  const address = received['odata-entityid'] ?? received.location;
  if (typeof address !== 'string') return null;
  try {
    const path = session.pathOf(address);
    // An entity of another set also has a key.
    if (!path.startsWith(`${source.set.name}(`)) return null;
    const read = await session.find(path);
    return read && keyIn(source, read.value);
  } catch (error) {
    if (!(error instanceof SystemError) || error.retryAfter !== undefined) throw error;
    return null;
  }
}

async function update(
  session: ODataSession,
  source: Source,
  key: string,
  { values, known }: { readonly values: Row; readonly known: KnownLists | undefined },
): Promise<void> {
  const { set, metadata, stream, options } = source;
  const { own, related } = encodeEntity(values, set.type, metadata);
  const stored = await existingEntity(session, source, key, [...related.keys()]);
  const others = relatedRequests(source, stored, related, known);
  const body = Object.fromEntries(Object.entries(own).filter(([name]) => !stream.key.includes(name)));
  const method = options.update ?? (metadata.version === 2 ? 'MERGE' : 'PATCH');
  const whole =
    method === 'PUT' ? { ...encodeEntity(updatable(source, stored.row), set.type, metadata).own, ...body } : body;
  const first: ODataRequest[] =
    Object.keys(body).length === 0
      ? []
      : [{ method, path: stored.path, body: whole, headers: stored.match, changes: true }];
  await sendInOrder(session, [...first, ...others]);
}

/** Values that a PUT must contain because it would otherwise clear them. */
function updatable({ set }: Source, row: Row): Row {
  const names = [...set.type.properties.values()].filter(({ isUpdatable }) => isUpdatable).map(({ name }) => name);
  return Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]));
}
