import { advisoryLocks, type Store } from '@unified/store';

/** Exclusive right of this worker to do one kind of work for a connection. */
export interface Lease {
  /** Throws `LeaseLost` when the lock is gone, so that another worker may have taken over. */
  assertHeld(): void;
  release(): Promise<void>;
}

/** Leases of one worker, held as advisory locks: PostgreSQL frees them as soon as the worker's connection to it ends. */
export interface Leases {
  /** Returns null when any worker holds it. `writes` and `sync` of a connection do not exclude each other. */
  take(kind: LeaseKind, connectionId: string): Promise<Lease | null>;
  close(): Promise<void>;
}

export type LeaseKind = 'writes' | 'sync';

/** Thrown when a worker no longer holds the lease. Nothing is saved: the next holder reads the state from the tables. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

function lockNameOf(kind: LeaseKind, connectionId: string): string {
  return kind === 'writes' ? connectionId : `${kind} ${connectionId}`;
}

/** Names of all locks that workers take for a connection, for a process that must exclude them all. */
export function lockNamesOf(connectionId: string): string[] {
  return [lockNameOf('writes', connectionId), lockNameOf('sync', connectionId)];
}

/** Connects to the database when the first lease is taken. */
export function createLeases(store: Store): Leases {
  const locks = advisoryLocks(store);
  const held = new Map<string, { lost: boolean }>();
  locks.onLost((names) => {
    for (const name of names) {
      const state = held.get(name);
      if (state) state.lost = true;
      held.delete(name);
    }
  });
  return {
    async take(kind, connectionId) {
      const name = lockNameOf(kind, connectionId);
      if (!(await locks.tryLock(name))) return null;
      const state = { lost: false };
      held.set(name, state);
      return {
        assertHeld() {
          if (state.lost) throw new LeaseLost(`The lock ${name} was lost.`);
        },
        async release() {
          if (state.lost) return;
          held.delete(name);
          await locks.unlock(name);
        },
      };
    },
    close: () => locks.close(),
  };
}
