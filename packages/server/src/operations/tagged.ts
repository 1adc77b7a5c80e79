import { hash } from 'node:crypto';
import { find, recordHash, type TokenAccess } from '@unified/store';
import { matchingTag, strongTags } from '../query/entity-tags.ts';
import { labelledText } from '../query/hidden-labels.ts';
import type { NarrowedEntity } from '../query/token-access.ts';
import type { DataContext } from './context.ts';
import { release } from './release.ts';

/** Hashes of what tokens give access to; requests with the same token share one. */
const accessHashes = new WeakMap<TokenAccess, string>();

function hashOf(access: TokenAccess): string {
  const known = accessHashes.get(access) ?? hash('sha256', JSON.stringify(access), 'base64url');
  accessHashes.set(access, known);
  return known;
}

/**
 * The tag of a list. It changes with everything that the response depends on. It is weak, because it does not depend on the
 * exact bytes. `state` is the state of the connection's records.
 */
export function listTag({ scope, access, address, largestResponse }: DataContext, state: string): string {
  const shown = access === null ? [] : [hashOf(access)];
  const parts = [release, scope.publicUrl, scope.connectionId, largestResponse, address, state, ...shown];
  return `W/"${hash('sha256', parts.join('\n'), 'base64url').slice(0, 27)}"`;
}

/**
 * The tag of a record: the hash of its stored text without hidden labels and, if only part of the record or more than the
 * record is returned, the hash of the response as well. If the stored text has fields that the token may not read, their values
 * could be guessed from its hash. In that case, the tag is the hash of the response, and weak, so that it matches no
 * `If-Match`.
 */
export function recordTag({ isPartial }: Pick<NarrowedEntity, 'isPartial'>, stored: string, returned: string): string {
  if (isPartial) return `W/"${recordHash(returned)}"`;
  return stored === returned ? `"${recordHash(stored)}"` : `"${recordHash(stored)}.${recordHash(returned)}"`;
}

/**
 * The hashes of stored texts in the tags of `If-Match`; undefined if any version of the record is accepted. Empty if only part
 * of the record is returned: whether a hash matches would reveal the values of the other fields.
 */
export function expectedHashes(
  { preconditions: { ifMatch } }: Pick<DataContext, 'preconditions'>,
  { isPartial }: Pick<NarrowedEntity, 'isPartial'>,
): readonly string[] | undefined {
  const tags = ifMatch === undefined ? undefined : strongTags(ifMatch);
  return isPartial ? tags && [] : tags?.map((tag) => tag.split('.')[0] ?? '');
}

/** The versions of a record that a request expects. */
export interface ExpectedVersions {
  /** Hashes of stored texts; any version if absent. */
  readonly ifMatch: readonly string[] | undefined;
  /** The hashes in the tags, if they are hashes of texts without the labels that the token hides. They identify the request. */
  readonly sentHashes?: readonly string[];
}

/**
 * The versions of a record that `If-Match` expects. The tag of a record with hidden labels is compared here, because its stored
 * text has another hash.
 */
export async function expectedVersions(
  context: Pick<DataContext, 'preconditions' | 'scope' | 'expected'>,
  entity: NarrowedEntity,
  id: string,
): Promise<ExpectedVersions> {
  if (context.expected !== undefined) return { ifMatch: [context.expected] };
  const sentHashes = expectedHashes(context, entity);
  if (!entity.showsLabelOf || entity.isPartial || sentHashes === undefined) return { ifMatch: sentHashes };
  const stored = await find(context.scope, entity, id);
  const isExpected = stored !== undefined && sentHashes.includes(recordHash(labelledText(entity, stored)));
  return { ifMatch: isExpected ? [recordHash(stored)] : [], sentHashes };
}

/** Headers of a response that clients may cache but must validate each time. */
export function taggedHeaders(tag: string) {
  return { ETag: tag, 'Cache-Control': 'private, no-cache' };
}

/** Returns 304 if the client already has the response with this tag. */
export function notModified({ preconditions }: DataContext, tag: string) {
  const matching = matchingTag(preconditions.ifNoneMatch, tag);
  if (matching === undefined) return undefined;
  return { status: 304, headers: { ...taggedHeaders(matching), Vary: 'Accept-Encoding' } } as const;
}
