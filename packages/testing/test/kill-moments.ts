import { setTimeout as pause } from 'node:timers/promises';
import type { Mishap, TrytonProxy } from './proxy.ts';

/** Calls with which the service changes something in Tryton. */
const CHANGES = /^model\.(party\.party|purchase\.purchase)\.(create|write)$/;

/**
 * Moments at which a worker is killed. Each function kills it and resolves when the consequences are over. `skip`: number of
 * changes before the kill.
 */
export type Moment = (proxy: TrytonProxy, kill: () => Promise<void>, skip: number) => Promise<void>;

/** Maximum time in milliseconds that a worker works before it is killed at a random point. */
const LONGEST_MS = 1_500;

/**
 * Delay of a held request in milliseconds: less than the time within which its effect is expected, which is twice the timeout
 * of a call.
 */
const LATE_MS = 1_200;

/** The relevant moments, by name; `random` determines the time of a kill at a random point. */
export function killMoments(random: () => number): Readonly<Record<string, Moment>> {
  return {
    'at any point': at((kill) => ({
      before: async () => {
        // Not awaited: the work continues until then.
        void pause(random() * LONGEST_MS).then(kill);
      },
    })),
    'before the request reached Tryton': at((kill) => ({ before: kill, arrives: false, answer: 'cut' })),
    'while the request is on its way': at((kill) => ({ before: kill })),
    'while the request is on its way, which takes long': at((kill) => ({
      before: () => kill().then(() => pause(LATE_MS)),
    })),
    'before the response of Tryton arrived': at((kill) => ({ after: kill, answer: 'cut' })),
  };
}

/** Kills the worker during a mishap. The next worker starts immediately, while the mishap may continue. */
function at(mishap: (kill: () => Promise<void>) => Mishap): Moment {
  return (proxy, kill, skip) => {
    const killed = Promise.withResolvers<void>();
    const killNow = () => kill().then(killed.resolve, killed.reject);
    void proxy.meet(CHANGES, mishap(killNow), skip);
    return killed.promise;
  };
}
