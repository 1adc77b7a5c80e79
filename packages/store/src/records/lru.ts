/** A map that forgets what was not used for longest. */
export function lru<Value>(size: number) {
  const entries = new Map<string, Value>();
  return (key: string, make: () => Value): Value => {
    const value = entries.get(key) ?? make();
    entries.delete(key);
    entries.set(key, value);
    if (entries.size > size) forgetFirst(entries);
    return value;
  };
}

/** Maps keep the order in which keys were set. */
function forgetFirst(entries: Map<string, unknown>): void {
  const { value } = entries.keys().next();
  if (value !== undefined) entries.delete(value);
}
