/** The smallest UUID of version 7 with this time, in milliseconds since 1970. */
export function firstIdAt(ms: number): string {
  const hex = Math.max(0, Math.ceil(ms)).toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The time in a UUID of version 7, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
