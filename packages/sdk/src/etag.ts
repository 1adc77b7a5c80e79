const tags = new WeakMap<object, string>();

/**
 * The `ETag` of a record that a call returned, for the options `ifMatch` and `ifNoneMatch`; undefined for a copy of it, and for
 * records of a list.
 */
export function etagOf(record: object): string | undefined {
  return tags.get(record);
}

/** Remembers the tag of the response for the record in it. */
export function tagged(record: unknown, { headers }: Response): unknown {
  const tag = headers.get('ETag');
  if (tag !== null && typeof record === 'object' && record !== null) tags.set(record, tag);
  return record;
}
