import type { Intent, Row } from '../driver.ts';
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

/**
 * The entity that an earlier create made: the one with its marker, or else one with the same values and a key higher than any
 * before the create. Null is certain only once the request can no longer take effect; until then, throws `unavailable`.
 */
export async function findCreated(
  session: ODataSession,
  source: Source,
  values: Row,
  { intent, settleAfterMs }: { readonly intent: Intent; readonly settleAfterMs: number },
): Promise<{ key: string } | null> {
  const waitMs = Date.parse(intent.sentAt) + settleAfterMs - Date.now();
  const filter = allOf(conditionsOf(source, values, intent));
  const path = withQuery(source.set.name, { select: source.stream.key.join(','), filter, top: '2' });
  const { value } = await session.send({ method: 'GET', path });
  const [found, other] = pageOfResponse(source, value).rows;
  if (found && other)
    throw new SystemError('rejected', 'The service has several new records with the values of this create');
  if (found) return { key: found.key };
  if (waitMs <= 0) return null;
  const words = 'The service may still be working on the request';
  throw new SystemError('unavailable', words, { retryAfter: Math.ceil(waitMs / 1000) });
}

/**
 * Refuses a create that `findCreated` could not find if its response were lost, before it is sent.
 *
 * @throws {SystemError} `rejected`
 */
export function refuseUnfindable(source: Source, values: Row): void {
  const { options, stream, set } = source;
  if (options.marker !== undefined) return;
  const unordered = stream.key.find((column) => propertyOf(source, column).type === 'Edm.Guid');
  const reason =
    unordered !== undefined
      ? `the key ${unordered} of ${set.name} is an Edm.Guid, which does not increase`
      : comparable(source, values).length === 0
        ? 'none of its values can be compared'
        : null;
  if (reason === null) return;
  const words = `The record could not be found if the response to its creation were lost: ${reason}`;
  throw new SystemError('rejected', `${words}; name a text property in the option "marker" of the stream`);
}

/** The values that an entity can be found by. */
function comparable(source: Source, values: Row): [name: string, value: unknown][] {
  const { own } = encodeEntity(values, source.set.type, source.metadata);
  return Object.entries(own).filter(
    ([name, value]) => value !== null && value !== '' && FOUND_BY.has(propertyOf(source, name).type),
  );
}

function conditionsOf(source: Source, values: Row, { writeId, position }: Intent): string[] {
  const { options, metadata } = source;
  const equals = (name: string, value: unknown) =>
    `${name} eq ${literal(value, propertyOf(source, name), metadata.version)}`;
  const { marker } = options;
  if (marker !== undefined) return [equals(marker, createdMarker(writeId, propertyOf(source, marker)))];
  const sent = comparable(source, values);
  const after = isObject(position) && typeof position.after === 'string' ? position.after : undefined;
  return [...sent.map(([name, value]) => equals(name, value)), ...(after === undefined ? [] : [behind(source, after)])];
}
