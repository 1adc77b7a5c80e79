const tags = new WeakMap<object, string>();

/**
 * The `ETag` of a record or a page that a call returned: that of a record is for the options `ifMatch` and `ifNoneMatch`, that
 * of a page for `ifNoneMatch` of the same list. Undefined for a copy, and for the records of a list.
 */
export function etagOf(read: object): string | undefined {
  return tags.get(read);
}

/** Remembers the tag of the response for the record or page in it. */
export function tagged(read: unknown, { headers }: Response): unknown {
  const tag = headers.get('ETag');
  if (tag !== null && typeof read === 'object' && read !== null) tags.set(read, tag);
  return read;
}
