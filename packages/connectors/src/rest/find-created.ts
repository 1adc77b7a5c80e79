import { createHash } from 'node:crypto';
import type { Intent, RawRow, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { type Writer, writesOf } from './change-row.ts';
import { withChoices } from './choices.ts';
import { isObject, valueAt } from './json-body.ts';
import { optionsOf, type Parameters } from './options.ts';
import { comparable, hasValues, isSame } from './stored-values.ts';
import type { CreatedOptions } from './write-options.ts';

/** Length of a marker; so many characters of base 32 are unique. */
const MARKER_LENGTH = 26;

/** A text that identifies a create: the same for every attempt of the same write. */
export function markerOf({ writeId }: Intent): string {
  const digits = BigInt(`0x${createHash('sha256').update(writeId).digest('hex')}`).toString(32);
  return digits.toUpperCase().slice(0, MARKER_LENGTH);
}

/** Where new rows begin: after the highest key, or at the time of the system. With a marker it does not matter. */
export async function positionBefore({ reader, time }: Writer, stream: Stream): Promise<Json> {
  const { marker, time: timeAt, parameters = {} } = createdOf(stream);
  if (marker !== undefined) return null;
  if (timeAt !== undefined) return { since: await time() };
  const { rows } = await reader.page({ stream, from: null, limit: 1, parameters });
  return { after: rows[0] ? numberOf(stream, rows[0].key) : 0 };
}

/**
 * Refuses a create that could not be found if its response were lost, before it is sent.
 *
 * @throws {SystemError} `rejected`
 */
export function refuseUnfindable(stream: Stream, values: Row): void {
  const { stored } = writesOf(stream);
  if (createdOf(stream).marker !== undefined || comparable(values, stored).length > 0) return;
  const words =
    'The record could not be found if the response to its creation were lost: none of its values can be compared';
  throw new SystemError('rejected', `${words}; name them in "stored" of the stream`);
}

/** The rows that an earlier create with these values can have created, the newest first. */
export async function createdRows(writer: Writer, stream: Stream, values: Row, intent: Intent): Promise<RawRow[]> {
  const options = writesOf(stream);
  const { marker } = createdOf(stream);
  if (marker !== undefined) {
    const wanted = markerOf(intent);
    const rows = await newRows(writer, stream, values, { wanted });
    return rows.filter(({ row }) => isSame(valueAt(row, options.stored?.[marker] ?? marker), wanted));
  }
  const sent = await withChoices(writer.client, values, options, null);
  const rows = await newRows(writer, stream, values, { position: intent.position });
  return rows.filter(({ row }) => hasValues(row, sent, options.stored));
}

async function newRows(
  { reader }: Writer,
  stream: Stream,
  values: Row,
  { wanted, position = null }: { readonly wanted?: string; readonly position?: Json },
): Promise<RawRow[]> {
  const { parameters = {}, time } = createdOf(stream);
  const { parents } = optionsOf(stream);
  const parent = parents && { [parents.as]: values[parents.as] };
  const asked = wanted === undefined ? parameters : withMarker(parameters, wanted);
  const isNew = wanted === undefined ? newerThan(stream, time, position) : () => true;
  const found: RawRow[] = [];
  for (let from: Json | null = null, more = true; more; more = from !== null) {
    const page = await reader.page({
      stream,
      from,
      limit: stream.pageSize,
      parameters: asked,
      ...(parent && { parent }),
    });
    found.push(...page.rows.filter(isNew));
    // Keys decrease: behind an old row there are no new ones.
    const isOver = time === undefined && wanted === undefined && !page.rows.every(isNew);
    from = isOver ? null : page.next;
  }
  return time === undefined ? found : found.sort((a, b) => numberOf(stream, b.key) - numberOf(stream, a.key));
}

/** Whether a row was created after a position. A row without the time could be the one that is searched for. */
function newerThan(stream: Stream, time: string | undefined, position: Json): (row: RawRow) => boolean {
  const { after, since } = isObject(position) ? position : {};
  if (time === undefined) return ({ key }) => numberOf(stream, key) > Number(after ?? 0);
  // The time of the system in HTTP has no fractions of a second.
  const begin = Math.floor(Date.parse(String(since)) / 1000) * 1000;
  return ({ row }) => !(Date.parse(String(valueAt(row, time))) < begin);
}

/** @throws {SystemError} `invalid` if the last part of a key is not a number */
function numberOf(stream: Stream, key: string): number {
  const number = Number(key.split('/').at(-1));
  if (Number.isSafeInteger(number)) return number;
  const words = `The key ${key} of ${stream.name} is not a number, so new rows cannot be found by it`;
  throw new SystemError('invalid', `${words}; name a "marker"`);
}

function withMarker(parameters: Parameters, marker: string): Parameters {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, String(value).replaceAll('{marker}', marker)]),
  );
}

function createdOf(stream: Stream): CreatedOptions {
  return writesOf(stream).created ?? {};
}
