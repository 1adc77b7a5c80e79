/** Limits of a folder on another machine. Each has a default; the times are shorter only in tests. */
export interface RemoteLimits {
  /** Maximum milliseconds until the next data or response arrives. */
  readonly idleMs?: number;
  /** Maximum milliseconds until a session is open. */
  readonly openMs?: number;
  /** Maximum milliseconds until all entries are listed. */
  readonly listMs?: number;
  /** Maximum number of bytes of one file, and of one list of entries. */
  readonly maxReceivedBytes?: number;
  /** Milliseconds after which an unused session is closed. */
  readonly sessionMs?: number;
}
