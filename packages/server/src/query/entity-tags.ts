/**
 * Whether the list of entity tags in `If-None-Match` contains this one; `*` contains every tag. Tags are compared weakly,
 * that is without `W/`, as RFC 9110 requires for reads.
 */
export function matchesTag(list: string | undefined, tag: string): boolean {
  if (list === undefined) return false;
  const tags = list.split(',').map(opaqueTag);
  return tags.includes('*') || tags.includes(opaqueTag(tag));
}

function opaqueTag(tag: string): string {
  return tag.trim().replace(/^W\//, '');
}
