import pg from 'pg';

/** Thrown when another object has a value that must be unique. Determined by the database. */
export class ValueTaken extends Error {
  override readonly name = 'ValueTaken';
}

const UNIQUE_VIOLATION = '23505';

/** Returns a function that throws `ValueTaken` for a violation of this index, and any other error unchanged. */
export function rethrowTaken(index: string, message: string): (error: unknown) => never {
  return (error) => {
    const isTaken = error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === index;
    throw isTaken ? new ValueTaken(message, { cause: error }) : error;
  };
}
