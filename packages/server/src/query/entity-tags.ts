import { requestError } from '../request-error.ts';

const TAG = /(?:W\/)?"[!#-~\x80-\xff]*"/g;
/** Pattern of `If-Match` in the document. */
export const IF_MATCH = /^(\*|[ \t,]*(W\/)?"[!#-~]*"([ \t,]+(W\/)?"[!#-~]*")*[ \t,]*)$/;
/** The tag of a compressed response ends with its coding. */
const CODED = /-(?:zstd|br|gzip)"$/;

/**
 * The tag in `If-None-Match` that equals this one; `*` matches every tag. As RFC 9110 requires for reads, tags are compared
 * weakly, that is, without `W/`. They are also compared without a content coding, because all codings of a response have the
 * same content. Anything that is not a tag is ignored.
 */
export function matchingTag(list: string | undefined, tag: string): string | undefined {
  if (list === undefined) return undefined;
  if (list.trim() === '*') return tag;
  return list.match(TAG)?.find((each) => opaque(each) === opaque(tag));
}

/** Whether `If-None-Match` contains this tag. */
export function matchesTag(list: string | undefined, tag: string): boolean {
  return matchingTag(list, tag) !== undefined;
}

function opaque(tag: string): string {
  return tag.replace(/^W\//, '').replace(CODED, '"');
}

/** The tag of a response with this content coding. A weak tag is the same with every coding. */
export function codedTag(tag: string, coding: string): string {
  return tag.startsWith('W/') ? tag : `${tag.slice(0, -1)}-${coding}"`;
}

/**
 * The strong tags in `If-Match`, without quotes and content codings; undefined for `*`. Weak tags never match, as RFC 9110
 * requires for writes. Throws SERVICE_INVALID_PARAMETER if it contains no tags: the client would take 412 for a change of the
 * record.
 */
export function strongTags(list: string): readonly string[] | undefined {
  if (!IF_MATCH.test(list))
    throw requestError('SERVICE_INVALID_PARAMETER', 'header/if-match', 'Send the ETag with its quotes, such as "abc".');
  if (list === '*') return undefined;
  const tags = list.match(TAG) ?? [];
  return tags.filter((each) => !each.startsWith('W/')).map((each) => opaque(each).slice(1, -1));
}
