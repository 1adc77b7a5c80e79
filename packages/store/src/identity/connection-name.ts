import pg from 'pg';

/** Thrown when an application has a connection of this name already. Decided by the database, so that it holds for concurrent calls. */
export class ConnectionNameTaken extends Error {
  override readonly name = 'ConnectionNameTaken';
  readonly connectionName: string;

  constructor(connectionName: string, cause?: unknown) {
    super(`The application has a connection named "${connectionName}" already.`, { cause });
    this.connectionName = connectionName;
  }
}

const UNIQUE_VIOLATION = '23505';

/** Throws `ConnectionNameTaken` for what the unique index refused, and everything else as it is. */
export function rethrowNamed(error: unknown, connectionName: string): never {
  const isTaken =
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === 'connections_by_name';
  throw isTaken ? new ConnectionNameTaken(connectionName, error) : error;
}
