/** Number of an error that the server reported; 0 if the connection failed. */
export function numberOf(cause: unknown): number {
  if (!(cause instanceof Error) || !('errno' in cause) || !('sqlState' in cause)) return 0;
  return typeof cause.errno === 'number' && typeof cause.sqlState === 'string' ? cause.errno : 0;
}
