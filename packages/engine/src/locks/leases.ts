import { laneLocks, type Store } from '@unified/store';
import { LaneLost } from '../write/held-queue.ts';

/** Something of a connection that only one worker does at a time, taken by this one. */
export interface Hold {
  /** Throws `LaneLost` when the lock is gone, so that another worker may have taken over. */
  assertHeld(): void;
  release(): Promise<void>;
}

/** Takes lanes for a worker. PostgreSQL frees them the moment the worker's connection to it ends. */
export interface LaneHolder {
  /** Null when anyone holds it. `sync` and `lane` of a connection exclude only their own kind. */
  take(what: What, connectionId: string): Promise<Hold | null>;
  close(): Promise<void>;
}

type What = 'lane' | 'sync';

function lockOf(what: What, connectionId: string): string {
  return what === 'lane' ? connectionId : `${what} ${connectionId}`;
}

/** All that workers take of a connection, for who has to be alone with it. */
export function lanesOf(connectionId: string): string[] {
  return [lockOf('lane', connectionId), lockOf('sync', connectionId)];
}

/** Connects to the database when the first lane is taken. */
export function createLaneHolder(store: Store): LaneHolder {
  const locks = laneLocks(store);
  const held = new Map<string, { lost: boolean }>();
  locks.onLost((names) => {
    for (const name of names) {
      const hold = held.get(name);
      if (hold) hold.lost = true;
      held.delete(name);
    }
  });
  return {
    async take(what, connectionId) {
      const name = lockOf(what, connectionId);
      if (!(await locks.tryLane(name))) return null;
      const hold = { lost: false };
      held.set(name, hold);
      return {
        assertHeld() {
          if (hold.lost) throw new LaneLost(`The lock of ${name} is gone.`);
        },
        async release() {
          if (hold.lost) return;
          held.delete(name);
          await locks.releaseLane(name);
        },
      };
    },
    close: () => locks.close(),
  };
}
