import type { RedisServer } from '@unified/testing';
import type { Standby } from '../../store/test/standby.ts';
import type { StartedProcess } from './started-process.ts';

/** Something that fails at random, and the ways in which it does. */
export interface Victim {
  readonly name: string;
  /** Each begins an outage, and returns what ends it. */
  readonly faults: Readonly<Record<string, () => Promise<() => Promise<void>>>>;
}

/** Steps of the work during which victims fail. */
export class Progress {
  #steps = 0;
  #awaited: { readonly step: number; readonly reached: () => void }[] = [];

  step(): void {
    this.#steps += 1;
    const reached = this.#awaited.filter(({ step }) => step <= this.#steps);
    this.#awaited = this.#awaited.filter(({ step }) => step > this.#steps);
    for (const each of reached) each.reached();
  }

  /** Resolves after so many more steps. */
  after(steps: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#awaited.push({ step: this.#steps + steps, reached: resolve });
    return promise;
  }
}

/** A process that is started again whenever it was killed. */
export class Supervised {
  #running: Promise<StartedProcess>;
  readonly #start: () => Promise<StartedProcess>;

  constructor(first: StartedProcess, start: () => Promise<StartedProcess>) {
    this.#running = Promise.resolve(first);
    this.#start = start;
  }

  /** The process that is running, or is being started. */
  get running(): Promise<StartedProcess> {
    return this.#running;
  }

  /** Kills the process; resolves when the next one is ready. */
  async restart(): Promise<void> {
    const killed = await this.#running;
    this.#running = killed.kill().then(() => this.#start());
    await this.#running;
  }
}

/** The work needs processes, so a supervisor starts one again without delay. */
export function processVictim(name: string, supervised: Supervised): Victim {
  const killed = async () => {
    await supervised.restart();
    return async () => {};
  };
  return { name, faults: { killed } };
}

export function redisVictim(redis: RedisServer): Victim {
  return {
    name: 'Redis',
    faults: {
      killed: async () => {
        await redis.kill();
        return () => redis.start();
      },
      hung: async () => {
        redis.hang();
        return async () => redis.resume();
      },
    },
  };
}

/** Fails only while it is used: `isUsed` resolves when it is. */
export function replicaVictim(standby: Standby, isUsed: () => Promise<void>): Victim {
  const stopped = (signal: 'SIGINT' | 'SIGQUIT') => async () => {
    await isUsed();
    await standby.stop(signal);
    return () => standby.start();
  };
  const paused = async () => {
    await isUsed();
    await standby.pause();
    return () => standby.resume();
  };
  // Only a replica that is behind can return something old.
  return {
    name: 'replica',
    faults: { killed: stopped('SIGQUIT'), paused, stopped: stopped('SIGINT'), 'paused again': paused },
  };
}

/**
 * Has a victim fail `times` times in each of its ways, in turn from a random one, each time after and for a random number of
 * steps of the work. Returns the faults in order.
 */
export async function failAtRandom(
  { name, faults }: Victim,
  { times, longest }: { readonly times: number; readonly longest: number },
  progress: Progress,
  random: () => number,
): Promise<string[]> {
  const kinds = Object.entries(faults);
  const first = Math.floor(random() * kinds.length);
  const happened: string[] = [];
  for (let n = 0; n < times * kinds.length; n += 1) {
    await progress.after(1 + Math.floor(random() * longest));
    const [kind, begin] = kinds[(first + n) % kinds.length] ?? [];
    happened.push(`${name} ${kind}`);
    const end = await begin?.();
    await progress.after(1 + Math.floor(random() * longest));
    await end?.();
  }
  return happened;
}
