import { type Servers, sendPersistently, type Vendor, writeVendor } from './persistent-client.ts';
import type { Progress, Supervised } from './random-kills.ts';

/** What a client has done, and what it found. */
export interface Work {
  /** The terms of its vendors in the order in which they were written, by name. */
  readonly histories: ReadonlyMap<string, readonly string[]>;
  readonly ids: ReadonlySet<string>;
  readonly reads: number;
  /** Reads without a position that did not contain the last write, because the replica was behind. */
  readonly older: number;
  /** Reads that failed, or did not return what it had written. */
  readonly wrong: readonly unknown[];
}

export interface WorkOptions {
  /** Token of its connection. */
  readonly token: string;
  /** Beginning of the names of its vendors. */
  readonly prefix: string;
  readonly apis: readonly Supervised[];
  readonly random: () => number;
  /** Steps when a write is sent, and when its outcome is known. */
  readonly progress: Progress;
}

/** Number of vendors that a client reads, the newest first. */
const PAGE = 50;
/** Number of changes to a vendor after it was created. */
const CHANGES = 2;

/**
 * Creates vendors and changes them until `isOver`, one write at a time, each time through a random server, and reads after each.
 */
export async function randomWork(options: WorkOptions, isOver: () => boolean): Promise<Work> {
  const { token, prefix, apis, random, progress } = options;
  const histories = new Map<string, string[]>();
  const ids = new Set<string>();
  const wrong: unknown[] = [];
  let reads = 0;
  let older = 0;
  let last = '';

  async function write(json: { name?: string; terms: string }, id?: string): Promise<Vendor> {
    progress.step();
    const { vendor, position } = await writeVendor(randomServers(apis, random), token, json, id);
    progress.step();
    ids.add(vendor.id);
    histories.set(vendor.name, [...(histories.get(vendor.name) ?? []), json.terms]);
    if (position > last) last = position;
    await readAll();
    return vendor;
  }
  /** Reads with the position of the last write, which must return what was written, and without one. */
  async function readAll(): Promise<void> {
    const [current, any] = await Promise.all([read({ 'Data-Position': last }), read()]);
    const newest = [...histories].toReversed().slice(0, PAGE);
    const expected = JSON.stringify(newest.map(([name, terms]) => [name, terms.at(-1)]));
    const [found, foundWithout] = [current, any].map(({ body }) =>
      JSON.stringify(body.data?.map(({ name, terms }) => [name, terms])),
    );
    if (found !== expected) wrong.push({ position: last, found, expected, body: current.body });
    if (any.status !== 200) wrong.push(any);
    else if (foundWithout !== expected) older += 1;
  }
  function read(more: Readonly<Record<string, string>> = {}) {
    reads += 1;
    const path = `/vendors?per_page=${PAGE}&sort=-name&filter[name:startsWith]=${encodeURIComponent(prefix)}`;
    const headers = { Authorization: `Bearer ${token}`, ...more };
    return sendPersistently<{ data: Vendor[] }>(randomServers(apis, random), path, { headers });
  }

  for (let n = 0; !isOver(); n += 1) {
    // Sorted by name, they are in the order in which they were created.
    const { id } = await write({ name: `${prefix}${String(n).padStart(4, '0')}`, terms: 'Created' });
    for (let change = 1; change <= CHANGES; change += 1) await write({ terms: `Change ${change}` }, id);
  }
  return { histories, ids, reads, older, wrong };
}

/** The servers from a random one; those that are running come first. */
function randomServers(apis: readonly Supervised[], random: () => number): Servers {
  const first = Math.floor(random() * apis.length);
  return {
    async address(attempt) {
      const from = (first + attempt) % apis.length;
      const inTurn = [...apis.slice(from), ...apis.slice(0, from)];
      return (await Promise.race(inTurn.map((each) => each.running))).baseUrl;
    },
  };
}
