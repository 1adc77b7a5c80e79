import type { KnownLists, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { changeRequest } from './change-request.ts';
import { choiceParameters, withChoices } from './choices.ts';
import { withKeyedLists } from './keyed-lists.ts';
import { type FoundRow, keysOf, type ListReader } from './list-reader.ts';
import { optionsOf } from './options.ts';
import { withParentNames } from './parent-values.ts';
import { ABSENT, type RestCall, type RestClient } from './rest-client.ts';
import { comparable, ignoredValues } from './stored-values.ts';
import type { ChangeCall, CreatedOptions, LockOptions, WriteOptions } from './write-options.ts';

/** Dependencies of writes. */
export interface Writer {
  readonly client: RestClient;
  readonly reader: ListReader;
  /** Positions before the last creates in lists of parents, by the id of their write. A restart forgets them. */
  readonly positions: Map<string, Json>;
}

/** The options for writes of a stream. */
export function writesOf(stream: Stream): WriteOptions {
  return optionsOf(stream).writes ?? {};
}

/** How the rows of creates of a stream are found. */
export function createdOf(stream: Stream): CreatedOptions {
  return writesOf(stream).created ?? {};
}

/** A call that the platform must define. @throws {SystemError} `rejected` if it does not */
export function callFor(stream: Stream, call: ChangeCall | undefined, done: string): ChangeCall {
  if (call) return call;
  throw new SystemError('rejected', `The platform does not define how rows of "${stream.name}" are ${done}`);
}

/**
 * Changes a row and reads it again, because some systems accept values and then ignore them.
 *
 * @throws {SystemError} `gone` if the row does not exist, `conflict` if it was changed at the same time, `rejected` with the
 *   values that were ignored
 */
export async function changeRow(
  writer: Writer,
  stream: Stream,
  key: string,
  { call, values, known = {} }: { readonly call: ChangeCall; readonly values: Row; readonly known?: KnownLists },
): Promise<void> {
  const { client, reader } = writer;
  const options = writesOf(stream);
  const before = await reader.found(stream, key, choiceParameters(values, options));
  if (!before) throw gone();
  const keys = withParentNames(stream, keysOf(stream, key));
  const chosen = await withChoices(client, values, options, before.row);
  const sent = withKeyedLists(chosen, before.row, { options, known, names: keys });
  const { match, added } = lockOf(before, options.lock, client.name);
  const all = { ...sent, ...added };
  const request = changeRequest({ base: client.base, call, method: 'PUT', keys, values: all }, options);
  await sendChange(client, request, match);
  if (comparable(sent, options.stored).length > 0) await refuseIgnored(writer, stream, key, { before, sent });
}

/** Sends a change of an existing row. 404 is `gone` only if it comes from the system itself, and the user still has access. */
async function sendChange(client: RestClient, request: RestCall, match: RestCall['headers']): Promise<void> {
  const expected = match ? [...ABSENT, 412] : ABSENT;
  const { status, isAbsent } = await client.call({ ...request, headers: { ...request.headers, ...match }, expected });
  if (status === 412) throw new SystemError('conflict', 'Another user changed the record at the same time');
  if (!isAbsent) return;
  await client.check();
  throw gone();
}

async function refuseIgnored(
  { client, reader }: Writer,
  stream: Stream,
  key: string,
  { before, sent }: { readonly before: FoundRow; readonly sent: Row },
): Promise<void> {
  const { stored } = writesOf(stream);
  const after = await reader.found(stream, key).catch((error: unknown) => {
    if (!(error instanceof SystemError)) throw error;
    throw new SystemError('unknown', `The record could not be read after the change: ${error.words}`, { cause: error });
  });
  const ignored = after ? ignoredValues(before.row, after.row, sent, stored) : [];
  if (ignored.length === 0) return;
  const words = `${client.name} accepted the request but did not change ${ignored.join(', ')}`;
  const remedy = `Check the rules of ${client.name} for this change and the rights of the user`;
  const rest = ignored.length < Object.keys(sent).length ? '; other values may have been changed' : '';
  throw new SystemError('rejected', `${words}${rest}. ${remedy}`, { columns: ignored });
}

/** What a change must contain to be refused if the row was changed after it was read. */
export function lockOf(
  { row, etag }: FoundRow,
  { etag: byETag, property }: LockOptions = {},
  system: string,
): { readonly match?: Readonly<Record<string, string>>; readonly added: Row } {
  if (property !== undefined) return { added: { [property]: row[property] ?? null } };
  if (!byETag) return { added: {} };
  if (etag === undefined) throw new SystemError('invalid', `${system} returned a row without an ETag`);
  return { match: { 'if-match': etag }, added: {} };
}

function gone(): SystemError {
  return new SystemError('gone', 'The record no longer exists');
}
