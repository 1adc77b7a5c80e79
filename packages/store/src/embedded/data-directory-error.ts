/** Why the embedded PostgreSQL of a data directory is not used by this process, and what to do about it. */
export class DataDirectoryError extends Error {
  override readonly name = 'DataDirectoryError';

  readonly remedy: string;

  constructor(problem: string, remedy: string) {
    super(problem);
    this.remedy = remedy;
  }
}
