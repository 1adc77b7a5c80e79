import { setTimeout as pause } from 'node:timers/promises';
import type { Mishap, TrytonProxy } from './proxy.ts';

/** Calls by which the service changes something in Tryton. */
export const CHANGES = /^model\.(party\.party|purchase\.purchase)\.(create|write)$/;

/** Where a worker is killed; each kills it and resolves when what follows is over. `skip`: changes that it makes first. */
export type Moment = (proxy: TrytonProxy, kill: () => Promise<void>, skip: number) => Promise<void>;

/** Longest time that a worker works before a kill at any point, in milliseconds. */
const LONGEST_MS = 1_500;

/** Milliseconds that a held request comes late: less than it is still waited for, which is twice the time of a call. */
const LATE_MS = 1_200;

/** The moments that matter, by name; `random` decides where the kill at any point falls. */
export function killMoments(random: () => number): Readonly<Record<string, Moment>> {
  return {
    'at any point': at((kill) => ({
      before: async () => {
        // Nobody waits: the work goes on until then.
        void pause(random() * LONGEST_MS).then(kill);
      },
    })),
    'before the request reached Tryton': at((kill) => ({ before: kill, arrives: false, answer: 'cut' })),
    'while the request is on its way': at((kill) => ({ before: kill })),
    'while the request is on its way, which takes long': at((kill) => ({
      before: () => kill().then(() => pause(LATE_MS)),
    })),
    'before the answer of Tryton arrived': at((kill) => ({ after: kill, answer: 'cut' })),
  };
}

/** Kills within a mishap; the next worker starts at once, while the mishap may still go on. */
function at(mishap: (kill: () => Promise<void>) => Mishap): Moment {
  return (proxy, kill, skip) => {
    const killed = Promise.withResolvers<void>();
    const killNow = () => kill().then(killed.resolve, killed.reject);
    void proxy.meet(CHANGES, mishap(killNow), skip);
    return killed.promise;
  };
}
