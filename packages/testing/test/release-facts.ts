/** Key of the credentials in the databases of releases, which contain test data only. */
export const RELEASE_KEY = Buffer.from('a key of the tests for upgrades!').toString('base64');

/** What the database of a release contains. */
export interface ReleaseFacts {
  /** Token of its connection. */
  readonly token: string;
  /** Its writes, newest first, as operation and status. */
  readonly writes: readonly string[];
  /** Number of changes in the log. */
  readonly changes: number;
}
