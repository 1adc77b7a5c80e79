/** Thrown when a worker may no longer save its work. Nothing is saved: the next worker reads the state from the tables. */
export class LockLost extends Error {
  override readonly name: string = 'LockLost';
}
