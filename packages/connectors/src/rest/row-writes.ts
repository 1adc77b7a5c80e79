import type { IncomingHttpHeaders } from 'node:http';
import type { Intent, Row, RowActions, RowWrites } from '../driver.ts';
import type { HttpResponse } from '../http/response-collector.ts';
import type { Stream } from '../platform.ts';
import { isKey, keyOf } from '../row-key.ts';
import { SystemError } from '../system-error.ts';
import { filled, namesIn } from './call-url.ts';
import { changeRequest } from './change-request.ts';
import { callFor, changeRow, createdOf, lockOf, type Writer, writesOf } from './change-row.ts';
import { withChoices } from './choices.ts';
import { contentOf } from './failure.ts';
import { createdRows, findCreated, markerOf, refuseUnfindable, rememberPosition } from './find-created.ts';
import { isPage, valueAt } from './json-body.ts';
import { withNewLists } from './keyed-lists.ts';
import { keysOf } from './list-reader.ts';
import { positionBefore } from './new-rows.ts';
import { optionsOf } from './options.ts';
import { withParentNames } from './parent-values.ts';
import { ABSENT } from './rest-client.ts';
import { isEmpty, unconfirmed, unsearched } from './unconfirmed-create.ts';
import type { ChangeCall, WriteOptions } from './write-options.ts';

/** Creates, changes and deletes rows with the calls that the platform defines. */
export function rowWrites(writer: Writer): RowWrites {
  return {
    positionBeforeCreate: (stream, _writeId, values) => positionBefore(writer, stream, values),
    create: (stream, values, intent) => create(writer, stream, values, intent),
    async findCreated(stream, values, intent) {
      const found = await findCreated(writer, stream, values, intent);
      return found ? { key: found.key } : null;
    },
    async update(stream, key, values, _intent, known = {}) {
      const call = callFor(stream, writesOf(stream).update, 'changed');
      await changeRow(writer, stream, key, { call, values, known });
    },
    remove: (stream, key) => remove(writer, stream, key),
  };
}

/** Applies the actions that the platform defines: values that are set, or a call. */
export function rowActions(writer: Writer): RowActions {
  return {
    async act(stream, key, action, values) {
      const { actions = {}, update } = writesOf(stream);
      const known = Object.hasOwn(actions, action) ? actions[action] : undefined;
      if (!known) throw new SystemError('rejected', `The platform has no action "${action}" of "${stream.name}"`);
      const call = callFor(stream, known.call ?? update, 'changed');
      await changeRow(writer, stream, key, { call, values: { ...known.values, ...values } });
    },
  };
}

async function create(writer: Writer, stream: Stream, values: Row, intent: Intent): Promise<{ key: string }> {
  const { client } = writer;
  const options = writesOf(stream);
  const call = callFor(stream, options.create, 'created');
  refuseUnfindable(stream, values);
  const { marker, request: repeated } = options.created ?? {};
  const marked = Object.fromEntries([marker, repeated].flatMap((name) => (name ? [[name, markerOf(intent)]] : [])));
  const names = withParentNames(stream, values);
  const chosen = await withChoices(client, values, options, null);
  const sent: Row = { ...withNewLists(chosen, options, { ...names }), ...marked };
  const keys = ownNames(names, values);
  const request = changeRequest({ base: client.base, call, method: 'POST', keys, values: sent }, options);
  await rememberPosition(writer, stream, values, intent);
  const response = await client.call({ ...request, acceptsPage: true }).catch((error: unknown) => {
    throw createFailure(error, stream);
  });
  const named = nameOf(response, call.key && filled(call.key, names, String));
  const key = named === null ? null : keyOf({ ...sent, [stream.key.at(-1) ?? '']: named }, stream.key);
  if (key !== null && isKey(key)) return { key };
  return { key: await keyInList(writer, stream, values, { intent, response }) };
}

/** With status 404, only the parent of a new row can be gone. */
function createFailure(error: unknown, stream: Stream): unknown {
  const isGone = error instanceof SystemError && error.kind === 'gone';
  return isGone && !optionsOf(stream).parents
    ? new SystemError('rejected', error.words, { ...error, cause: error.cause })
    : error;
}

/**
 * The key of a new row that the response to its creation does not contain, from the list.
 *
 * @throws {SystemError} that states whether to search for it again, and whether to send it again, if it is not there
 */
async function keyInList(
  writer: Writer,
  stream: Stream,
  values: Row,
  { intent, response }: { readonly intent: Intent; readonly response: HttpResponse },
): Promise<string> {
  // A create that the system recognizes can be sent again without a second record.
  const isRecognized = createdOf(stream).request !== undefined;
  const found = await createdRows(writer, stream, values, intent).catch((error: unknown) => {
    if (!(error instanceof SystemError)) throw error;
    throw isRecognized ? unnamed(writer, error) : unsearched(writer, response, error);
  });
  const [row, other] = found.same;
  if (row && !other) return row.key;
  const mayBeRefusal = !isEmpty(response) && !isPage(response);
  throw isRecognized && !mayBeRefusal ? unnamed(writer) : unconfirmed(writer, response, found);
}

/** The names in addresses that are not values. */
function ownNames(names: Row, values: Row): Row {
  return Object.fromEntries(Object.entries(names).filter(([name]) => !Object.hasOwn(values, name)));
}

/**
 * The last part of the key of a new row: at a path of the response, or at the end of its address in `Location`; null if it is not
 * there, or the response is an HTML page or not JSON.
 */
function nameOf(response: HttpResponse, path: string | undefined): string | null {
  if (isPage(response)) return null;
  const { headers, body } = response;
  const found = path === undefined ? lastPart(headers) : valueAt(contentOf(body), path);
  return typeof found === 'number' || (typeof found === 'string' && found !== '') ? String(found) : null;
}

function lastPart({ location }: IncomingHttpHeaders): string | null {
  const path = location?.split(/[?#]/, 1)[0]?.replace(/\/+$/, '') ?? '';
  const last = path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '');
  return last === '' ? null : decoded(last);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** The row may be listed later, so the outcome is checked like that of a lost response. */
function unnamed({ client }: Writer, cause?: SystemError): SystemError {
  return new SystemError('unknown', `${client.name} did not return the key of the new record`, {
    retryAfter: cause?.retryAfter,
    cause,
  });
}

async function remove({ client, reader }: Writer, stream: Stream, key: string): Promise<void> {
  const options = writesOf(stream);
  const call = callFor(stream, options.delete, 'deleted');
  const keys = withParentNames(stream, keysOf(stream, key));
  const before = isRead(call, options) ? await reader.found(stream, key) : undefined;
  if (before === null) return;
  const { match, added = {} } = before ? lockOf(before, options.lock, client.name) : {};
  const request = changeRequest(
    { base: client.base, call, method: 'DELETE', keys: { ...keys, ...added }, values: {} },
    options,
  );
  const expected = match ? [...ABSENT, 412] : ABSENT;
  const { status, isAbsent } = await client.call({ ...request, expected, headers: { ...request.headers, ...match } });
  if (status === 412) throw new SystemError('conflict', 'Another user changed the record at the same time');
  if (isAbsent) await client.check();
}

/** Whether a delete contains the version of the row, which is read before. */
function isRead({ add = {} }: ChangeCall, { lock }: WriteOptions): boolean {
  if (lock?.etag) return true;
  const named = Object.values(add).flatMap((value) => (typeof value === 'string' ? namesIn(value) : []));
  return lock?.property !== undefined && named.includes(lock.property);
}
