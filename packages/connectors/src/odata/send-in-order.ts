import { isDeepStrictEqual } from 'node:util';
import type { Row } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { entityOf, etagOf, isObject } from './entity-row.ts';
import { entityIn } from './list-page.ts';
import type { EntityType, Metadata } from './metadata/metadata.ts';
import type { ODataRequest, ODataSession } from './odata-session.ts';

/** A request of a write that consists of several. */
export interface OrderedRequest extends ODataRequest {
  /** The values that the entity to be changed had when its ETag was read. */
  readonly before?: { readonly row: Row; readonly type: EntityType; readonly metadata: Metadata };
}

/**
 * Sends the requests of one write. Those that follow a failed one are not sent, and those that preceded it stay in effect.
 *
 * @throws {SystemError} `partial` if there are several and the service has made, or may have made, a part of the changes
 */
export async function sendInOrder(session: ODataSession, requests: readonly OrderedRequest[]): Promise<void> {
  for (const [made, request] of requests.entries()) {
    try {
      if (made === 0) await session.send(request);
      else await sendAfterOthers(session, request);
    } catch (error) {
      if (!(error instanceof SystemError) || requests.length === 1) throw error;
      const isUnsure = error.kind === 'unknown' || error.kind === 'invalid';
      if (made === 0 && !isUnsure) throw error;
      const next = isUnsure ? 'it is unknown whether it made the next one' : 'refused the next one';
      const reason = error.words.replace(/\.?$/, '.');
      const words = `The system made ${made} of ${requests.length} changes, and ${next}: ${reason} The record shows what the system has now`;
      throw new SystemError('partial', words, { columns: error.columns, cause: error });
    }
  }
}

/** Earlier requests of the write may have changed the ETag, because some services have one for the whole document. */
async function sendAfterOthers(session: ODataSession, { before, ...request }: OrderedRequest): Promise<void> {
  try {
    await session.send(request);
  } catch (error) {
    if (!before || !(error instanceof SystemError) || error.kind !== 'conflict') throw error;
    const etag = await currentETag(session, { before, ...request });
    if (etag === undefined) throw error;
    await session.send({ ...request, headers: { ...request.headers, 'if-match': etag } });
  }
}

/** The ETag that an entity has now; undefined if a value that the request changes is no longer the one that was read. */
async function currentETag(session: ODataSession, { path, body, before }: OrderedRequest): Promise<string | undefined> {
  const found = await session.find(path);
  const wire = entityIn(found?.value);
  if (!before || !isObject(wire)) return undefined;
  const now = entityOf(wire, before.type, before.metadata);
  const isSame = Object.keys(body ?? {}).every((name) => isDeepStrictEqual(now[name], before.row[name]));
  return isSame ? (etagOf(wire) ?? found?.headers.etag) : undefined;
}
