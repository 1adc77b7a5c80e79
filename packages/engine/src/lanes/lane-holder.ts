import { laneLocks, type Store } from '@unified/store';
import { LaneLost } from './lane.ts';

/** Something of a connection that only one worker does at a time, taken by this one. */
export interface Hold {
  /** Throws `LaneLost` when the lock is gone, so that another worker may have taken over. */
  assertHeld(): void;
  release(): Promise<void>;
}

/** Takes lanes for a worker. PostgreSQL frees them the moment the worker's connection to it ends. */
export interface LaneHolder {
  /** Null when anyone holds it. `sync` and `lane` of a connection exclude only their own kind. */
  take(what: 'lane' | 'sync', connectionId: string): Promise<Hold | null>;
  close(): Promise<void>;
}

export function createLaneHolder(store: Store): LaneHolder {
  const locks = laneLocks(store);
  const held = new Map<string, { lost: boolean }>();
  // All locks belong to one database connection, which does one thing at a time.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const turn = last.then(act, act);
    last = turn;
    return turn;
  };
  locks.onLost((names) => {
    for (const name of names) Object.assign(held.get(name) ?? {}, { lost: true });
  });
  return {
    async take(what, connectionId) {
      const name = what === 'lane' ? connectionId : `${what} ${connectionId}`;
      if (!(await inTurn(() => locks.tryLane(name)))) return null;
      const hold = { lost: false };
      held.set(name, hold);
      return {
        assertHeld() {
          if (hold.lost) throw new LaneLost(`The lock of ${name} is gone.`);
        },
        async release() {
          if (!hold.lost) await inTurn(() => locks.releaseLane(name));
        },
      };
    },
    close: () => inTurn(() => locks.close()),
  };
}
