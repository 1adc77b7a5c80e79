/** Whether the same request may succeed after a response with this status. */
export function isTemporary(status: number): boolean {
  return [502, 503, 504].includes(status);
}
