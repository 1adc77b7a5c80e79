import { createHash } from 'node:crypto';
import type { Intent, RawRow, Row } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { createdOf, type Writer, writesOf } from './change-row.ts';
import { withChoices } from './choices.ts';
import { valueAt } from './json-body.ts';
import { numberOf } from './list-order.ts';
import { isInParent, markedRows, newRows } from './new-rows.ts';
import { comparable, hasValues, isSame, resembles } from './stored-values.ts';

/** Length of a marker; this many base-32 characters are unique. */
const MARKER_LENGTH = 26;

/** Maximum number of creates in lists of parents whose position is remembered. */
const MOST_POSITIONS = 1000;

/** A text that identifies a create: the same for every attempt of the same write. */
export function markerOf({ writeId }: Intent): string {
  const digits = BigInt(`0x${createHash('sha256').update(writeId).digest('hex')}`).toString(32);
  return digits.toUpperCase().slice(0, MARKER_LENGTH);
}

/** Remembers, before a create is sent for the first time, the highest key in the list of its parent. */
export async function rememberPosition(
  writer: Writer,
  stream: Stream,
  values: Row,
  { writeId }: Intent,
): Promise<void> {
  const { positions } = writer;
  if (!isInParent(stream) || positions.has(writeId)) return;
  const rows = await newRows(writer, stream, values, null);
  const [oldest] = positions.keys();
  if (positions.size >= MOST_POSITIONS && oldest !== undefined) positions.delete(oldest);
  positions.set(writeId, { after: rows[0] ? numberOf(stream, rows[0].key) : 0 });
}

/**
 * Refuses a create that could not be found if its response were lost, before it is sent.
 *
 * @throws {SystemError} `rejected`
 */
export function refuseUnfindable(stream: Stream, values: Row): void {
  const { stored } = writesOf(stream);
  const { marker, request } = createdOf(stream);
  if (marker !== undefined || request !== undefined || comparable(values, stored).length > 0) return;
  const words =
    'The record could not be found if the response to its creation were lost: none of its values can be compared';
  throw new SystemError('rejected', `${words}. Name them in "stored" of the stream`);
}

/**
 * The row that an earlier create with this intent created; null if the create was certainly not carried out.
 *
 * @throws {SystemError} `unconfirmed` if a row may be that of the create, but this is not certain
 */
export async function findCreated(writer: Writer, stream: Stream, values: Row, intent: Intent): Promise<RawRow | null> {
  const { name } = writer.client;
  const { same, similar } = await createdRows(writer, stream, values, intent);
  const [found, other] = same;
  if (other)
    throw new SystemError(
      'unconfirmed',
      `${name} has several new records with these values, such as ${found?.key} and ${other.key}`,
    );
  if (found && isInParent(stream) && !writer.positions.has(intent.writeId)) {
    throw new SystemError(
      'unconfirmed',
      `${name} has the record ${found.key} with these values, which may be an older one`,
    );
  }
  const [doubtful] = similar;
  if (found || !doubtful) return found ?? null;
  throw new SystemError(
    'unconfirmed',
    `${name} has the new record ${doubtful.key} with some of these values, but not with all`,
  );
}

/** Rows that a create may have created, in the order of their list. */
export interface CreatedRows {
  /** With the marker, or with all values that were sent. */
  readonly same: readonly RawRow[];
  /** With the values that identify a row, but not with all: systems replace and ignore values. */
  readonly similar: readonly RawRow[];
}

/** The rows that a create may have created: those with its marker or its values. */
export async function createdRows(writer: Writer, stream: Stream, values: Row, intent: Intent): Promise<CreatedRows> {
  const options = writesOf(stream);
  const { marker, request, match } = createdOf(stream);
  if (marker !== undefined) {
    const wanted = markerOf(intent);
    const rows = await markedRows(writer, stream, values, wanted);
    const same = rows.filter(({ row }) => isSame(valueAt(row, options.stored?.[marker] ?? marker), wanted));
    return { same, similar: [] };
  }
  const sent = await withChoices(writer.client, values, options, null);
  if (request !== undefined && comparable(sent, options.stored).length === 0) return { same: [], similar: [] };
  const position = isInParent(stream) ? (writer.positions.get(intent.writeId) ?? null) : intent.position;
  const rows = await newRows(writer, stream, values, position);
  const same = rows.filter(({ row }) => hasValues(row, sent, options.stored));
  // If the create is sent again, the system recognizes it.
  if (request !== undefined) return { same: same.length === 1 ? same : [], similar: [] };
  const similar = rows.filter((row) => !same.includes(row) && resembles(row.row, sent, options.stored, match));
  return { same, similar };
}
