/** The text that names a row: its key values joined by "/"; in a value, "/" is written %2F and "%" is written %25. */
export function joinKey(parts: readonly string[]): string {
  return parts.map((part) => part.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/');
}

/** The key values of `joinKey`. */
export function splitKey(key: string): string[] {
  return key.split('/').map((part) => part.replaceAll('%2F', '/').replaceAll('%25', '%'));
}
