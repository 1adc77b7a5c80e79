import { RemediedError } from '../remedied-error.ts';

/** Why the embedded PostgreSQL of a data directory is not used by this process, and what to do about it. */
export class DataDirectoryError extends RemediedError {
  override readonly name = 'DataDirectoryError';
}
