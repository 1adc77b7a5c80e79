import pg from 'pg';

/**
 * Thrown when an application already has a connection with this name. The database detects this, so it holds for
 * concurrent calls as well.
 */
export class ConnectionNameTaken extends Error {
  override readonly name = 'ConnectionNameTaken';
  readonly connectionName: string;

  constructor(connectionName: string, cause?: unknown) {
    super(`The application already has a connection named "${connectionName}".`, { cause });
    this.connectionName = connectionName;
  }
}

const UNIQUE_VIOLATION = '23505';

/** Throws `ConnectionNameTaken` for a violation of the unique index, and any other error unchanged. */
export function rethrowNamed(error: unknown, connectionName: string): never {
  const isTaken =
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === 'connections_by_name';
  throw isTaken ? new ConnectionNameTaken(connectionName, error) : error;
}
