import type { Intent, Row } from '../driver.ts';
import type { Json } from '../json.ts';
import { SystemError } from '../system-error.ts';
import { createdMarker } from './created-marker.ts';
import { encodeEntity } from './encode-entity.ts';
import { isObject } from './entity-row.ts';
import { pageOfResponse } from './list-page.ts';
import { literal } from './literal.ts';
import type { ODataSession } from './odata-session.ts';
import { allOf, behind, withQuery } from './query.ts';
import { propertyOf, type Source } from './source.ts';

/** Types whose values a service stores as they were sent, so that an entity can be found by them. */
const FOUND_BY: ReadonlySet<string> = new Set(['Edm.String', 'Edm.Guid', 'Edm.Decimal', 'Edm.Int32', 'Edm.Int64']);

/** Maximum number of entities with the same values whose keys are remembered before a create. */
const MOST_KNOWN = 1_000;

/**
 * What distinguishes the entity of a create from older ones: the highest key, or, if keys do not increase, the keys of all
 * entities with the same values. Null if nothing is needed, or if there is nothing by which the entity could be found.
 */
export async function positionBefore(session: ODataSession, source: Source, values: Row): Promise<Json> {
  const { stream, set, options } = source;
  if (options.marker !== undefined) return null;
  const select = stream.key.join(',');
  if (unorderedKey(source) === undefined) {
    const orderby = stream.key.map((column) => `${column} desc`).join(',');
    const { value } = await session.send({ method: 'GET', path: withQuery(set.name, { select, orderby, top: '1' }) });
    const [last] = pageOfResponse(source, value).rows;
    return last ? { after: last.key } : null;
  }
  const conditions = equalTo(source, values);
  if (conditions.length === 0) return null;
  const path = withQuery(set.name, { select, filter: allOf(conditions), top: String(MOST_KNOWN + 1) });
  const { value } = await session.send({ method: 'GET', path });
  const { rows, nextLink } = pageOfResponse(source, value);
  return rows.length > MOST_KNOWN || nextLink !== undefined ? null : { known: rows.map(({ key }) => key) };
}

/**
 * The entity that an earlier create made: the one with its marker, or else one with the same values that did not exist before
 * the create. Null is certain only once the request can no longer take effect; until then, throws `unavailable`.
 */
export async function findCreated(
  session: ODataSession,
  source: Source,
  values: Row,
  { intent, settleAfterMs }: { readonly intent: Intent; readonly settleAfterMs: number },
): Promise<{ key: string } | null> {
  const waitMs = Date.parse(intent.sentAt) + settleAfterMs - Date.now();
  const filter = allOf(conditionsOf(source, values, intent));
  const known = knownBefore(intent);
  const path = withQuery(source.set.name, {
    select: source.stream.key.join(','),
    filter,
    top: String(known.size + 2),
  });
  const { value } = await session.send({ method: 'GET', path });
  const { rows, nextLink } = pageOfResponse(source, value);
  const [found, other] = rows.filter(({ key }) => !known.has(key));
  if (found && other)
    throw new SystemError(
      'unconfirmed',
      `The service has several new records with the values of this create, such as ${found.key} and ${other.key}. Set the option "marker" of the stream`,
    );
  if (found) return { key: found.key };
  if (nextLink !== undefined)
    throw new SystemError(
      'unconfirmed',
      'The service does not return all records with the values of this create on one page. Set the option "marker" of the stream',
    );
  if (waitMs <= 0) return null;
  const words = 'The service may still be working on the request';
  throw new SystemError('unavailable', words, { retryAfter: Math.ceil(waitMs / 1000), isOnlyForCall: true });
}

/**
 * Refuses a create that `findCreated` could not find if its response were lost, before it is sent.
 *
 * @throws {SystemError} `rejected`
 */
export function refuseUnfindable(source: Source, values: Row, position: Json): void {
  const { options, set } = source;
  if (options.marker !== undefined) return;
  const unordered = unorderedKey(source);
  const isKnown = isObject(position) && Array.isArray(position.known);
  const reason =
    comparable(source, values).length === 0
      ? 'none of its values can be compared'
      : unordered !== undefined && !isKnown
        ? `the key ${unordered} of ${set.name} is an Edm.Guid, which does not increase, and too many records have the same values`
        : null;
  if (reason === null) return;
  const words = `The record could not be found if the response to its creation were lost: ${reason}`;
  throw new SystemError('rejected', `${words}. Name a text property in the option "marker" of the stream`);
}

/** A key property whose values do not increase. */
function unorderedKey(source: Source): string | undefined {
  return source.stream.key.find((column) => propertyOf(source, column).type === 'Edm.Guid');
}

/** The values that an entity can be found by. */
function comparable(source: Source, values: Row): [name: string, value: unknown][] {
  const { own } = encodeEntity(values, source.set.type, source.metadata);
  const { match } = source.options;
  return Object.entries(own).filter(
    ([name, value]) =>
      value !== null && value !== '' && (match ? match.includes(name) : FOUND_BY.has(propertyOf(source, name).type)),
  );
}

function conditionsOf(source: Source, values: Row, { writeId, position }: Intent): string[] {
  const { marker } = source.options;
  if (marker !== undefined) return [equals(source, marker, createdMarker(writeId, propertyOf(source, marker)))];
  const after = isObject(position) && typeof position.after === 'string' ? position.after : undefined;
  return [...equalTo(source, values), ...(after === undefined ? [] : [behind(source, after)])];
}

function equalTo(source: Source, values: Row): string[] {
  return comparable(source, values).map(([name, value]) => equals(source, name, value));
}

function equals(source: Source, name: string, value: unknown): string {
  return `${name} eq ${literal(value, propertyOf(source, name), source.metadata.version)}`;
}

/** Keys of the entities that had the same values before the create. */
function knownBefore({ position }: Intent): ReadonlySet<string> {
  return new Set(isObject(position) && Array.isArray(position.known) ? position.known.map(String) : []);
}
