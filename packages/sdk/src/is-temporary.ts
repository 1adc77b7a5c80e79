/** Whether a response with this status can be followed by a better one. */
export function isTemporary(status: number): boolean {
  return [502, 503, 504].includes(status);
}
