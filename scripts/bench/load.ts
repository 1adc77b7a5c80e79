import autocannon from 'autocannon';
import { median } from './budget.ts';

/** A request to repeat. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ROUNDS = 5;
const CONNECTIONS = 24;

/**
 * Requests per second of each target. The targets take turns, round by round, so that what else the machine does meets
 * all of them alike; the median of the rounds counts. Throws when an answer is not 200.
 */
export async function throughput(targets: readonly Target[], seconds: number): Promise<Record<string, number>> {
  const rounds = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
  for (const target of targets) await fire(target, Math.min(3, seconds));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const target of targets) rounds.get(target.name)?.push(await fire(target, seconds));
  }
  return Object.fromEntries([...rounds].map(([name, values]) => [name, Math.round(median(values))]));
}

async function fire({ name, url, headers }: Target, seconds: number): Promise<number> {
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: seconds });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${name}: ${result.non2xx} answers were not 2xx, ${result.errors} requests failed.`);
  }
  return result['2xx'] / result.duration;
}

/** Milliseconds of single requests, one after the other, by target in turns. */
export async function latency(targets: readonly Target[], times: number): Promise<Record<string, number>> {
  const taken = new Map<string, number[]>(targets.map(({ name }) => [name, []]));
  for (let turn = 0; turn < times + 20; turn += 1) {
    for (const { name, url, headers } of targets) {
      const began = performance.now();
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${name}: answered ${response.status}.`);
      if (turn >= 20) taken.get(name)?.push(performance.now() - began);
    }
  }
  return Object.fromEntries([...taken].map(([name, values]) => [name, median(values)]));
}
