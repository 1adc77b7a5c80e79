/** A value before and after; undefined if it does not exist there. */
export interface ValueChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

type Values = Readonly<Record<string, unknown>>;

/** The values that differ between two objects, by name. A missing object has no values. */
export function valueChanges(before: Values | null, after: Values | null): ValueChange[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names]
    .map((name) => ({ name, before: before?.[name], after: after?.[name] }))
    .filter((change) => canonical(change.before) !== canonical(change.after))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}

/**
 * What a call would change in a record: the values that it contains; all values of a record that would be created or deleted.
 *
 * @param after The values of the call; null for a delete.
 */
export function proposedChanges(before: Values | null, after: Values | null): ValueChange[] {
  if (before === null || after === null) return valueChanges(before, after);
  const named = Object.fromEntries(Object.keys(after).map((name) => [name, before[name]]));
  return valueChanges(named, after);
}

/** A value as text, whatever the order of the properties of its objects. */
function canonical(value: unknown): string {
  return (
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => a.localeCompare(b)))
        : part,
    ) ?? ''
  );
}
