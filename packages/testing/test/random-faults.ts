import { fileURLToPath } from 'node:url';
import { loadPlatform, openDriver } from '@unified/connectors';
import type { SyncMode } from '@unified/engine';
import type { Client, WriteRecord } from '@unified/sdk';
import { connect } from '@unified/testing';
import { vi } from 'vitest';
import { FaultPlan, httpFaults, reordered, repeated } from '../../connector-kit/src/faults/fault-plan.ts';
import { startHttpFaultProxy } from '../../connector-kit/src/faults/http-fault-proxy.ts';
import { seededRandom } from '../../store/test/seeded-random.ts';
import { type Job, type JobSystem, startJobSystem, TOKEN } from './jobs/job-system.ts';
import { sdkClient } from './sdk-client.ts';
import { type Stack, startStack } from './stack.ts';

const JOBS = 90;

/** Faults of lists are more frequent, because most requests are for one job, on which they have no effect. */
const FAULTS = [...httpFaults, ...Array.from({ length: 3 }, () => [repeated, reordered]).flat()];
const WAIT_MS = 300_000;

/** Faults until they are switched off. */
class EndingPlan extends FaultPlan {
  isOver = false;
  override next() {
    return this.isOver ? null : super.next();
  }
}

/** A job as the API and the system both show it. */
export interface Shown {
  readonly key: string;
  readonly name: string;
  readonly notes: string | null;
}

/** What was requested, and its outcome. */
export interface Requested {
  readonly kind: 'create' | 'update' | 'delete';
  /** Key of the job; empty for a create. */
  readonly key: string;
  /** The name of a create, and the notes of an update. */
  readonly text: string;
  readonly write: WriteRecord;
}

/** A system of jobs behind a proxy with faults, and its connection to the service. */
export interface FaultyJobs {
  readonly system: JobSystem;
  readonly plan: FaultPlan;
  readonly requested: readonly Requested[];
  /** Keys of the jobs that were removed in the system itself. */
  readonly removed: ReadonlySet<string>;
  /** Changes jobs at both ends and synchronizes, until so many faults were injected. Returns the number of rounds. */
  work(faults: number): Promise<number>;
  /** Jobs as the API lists them after a full pass without faults. */
  listedAtTheEnd(): Promise<Shown[]>;
  /** Keys of the jobs in the changes of a kind that the change log reports. */
  reported(kind: 'created' | 'deleted'): Promise<string[]>;
}

/** The service, with one connection per seed, which all work at the same time. */
export interface FaultyService {
  readonly connections: readonly FaultyJobs[];
  stop(): Promise<void>;
}

/** Starts the service and the systems. The same seed yields the same sequence of faults and changes. */
export async function startFaultyService(seeds: readonly number[]): Promise<FaultyService> {
  const platform = loadPlatform(fileURLToPath(new URL('jobs/platform', import.meta.url)));
  const stack = await startStack({ openDriver, platformOf: () => platform });
  await stack.startWorker({ syncs: seeds.length });
  const ends = [() => stack.stop()];
  const connections: FaultyJobs[] = [];
  for (const seed of seeds) {
    const plan = new EndingPlan({ seed, faults: FAULTS, share: 0.5 });
    const system = await startJobSystem();
    ends.push(() => system.stop());
    for (let number = 1; number <= JOBS; number += 1) system.create({ name: `Job ${number}` });
    const proxy = await startHttpFaultProxy(system.url, plan);
    ends.push(() => proxy.close());
    // A write of unknown outcome is looked up after twice the timeout.
    const settings = { url: proxy.url, token: TOKEN, timeoutSeconds: 4 };
    const { scope, token } = await connect(stack.database.store, { platform: platform.id, settings });
    const client = await sdkClient(stack.baseUrl, token);
    connections.push(faultyJobs({ stack, scope, client, system, plan, random: seededRandom(seed) }));
  }
  return {
    connections,
    async stop() {
      for (const end of ends) await end();
    },
  };
}

interface Parts {
  readonly stack: Stack;
  readonly scope: Awaited<ReturnType<typeof connect>>['scope'];
  readonly client: Client;
  readonly system: JobSystem;
  readonly plan: EndingPlan;
  readonly random: () => number;
}

function faultyJobs({ stack, scope, client, system, plan, random }: Parts): FaultyJobs {
  const requested: Requested[] = [];
  const removed = new Set<string>();
  const sync = (mode: SyncMode) => synchronized(stack, scope, mode);
  const oneOf = <Each>(all: readonly Each[]) => all[Math.floor(random() * all.length)];

  /** Changes, removes and creates a job in the system itself. */
  function changeInSystem(round: number): void {
    const all = [...system.jobs.keys()];
    const [changed, gone] = [oneOf(all), oneOf(all)];
    if (changed !== undefined) system.change(changed, { notes: `Changed in round ${round}` });
    if (gone !== undefined) {
      removed.add(String(gone));
      system.remove(gone);
    }
    system.create({ name: `Made in the system ${round}` });
  }
  /** Queues a create, an update and sometimes a delete. */
  async function queueWrites(round: number): Promise<(() => Promise<void>)[]> {
    const known = [];
    for await (const each of client.workOrders.list({ per_page: 100 })) known.push(each);
    const later = { respondAsync: true } as const;
    const [updated, deleted] = [oneOf(known), round % 3 === 0 ? oneOf(known) : undefined];
    const [name, description] = [`Made with the API ${round}`, `Updated in round ${round}`];
    const creating = await client.workOrders.create({ name }, later);
    const waits = [settled('create', '', name, creating.writeId)];
    if (updated) {
      const { writeId } = await client.workOrders.update(updated.id, { description }, later);
      waits.push(settled('update', updated._idValue, description, writeId));
    }
    if (deleted) {
      const { writeId } = await client.workOrders.delete(deleted.id, later);
      waits.push(settled('delete', deleted._idValue, '', writeId));
    }
    return waits;
  }
  const settled = (kind: Requested['kind'], key: string, text: string, writeId: string) => async () => {
    // A failed write is also an outcome; the test checks it.
    await client.writes.wait(writeId, { timeoutMs: WAIT_MS }).catch(() => undefined);
    requested.push({ kind, key, text, write: await client.writes.get(writeId) });
  };

  return {
    ...{ system, plan, requested, removed },
    async work(faults) {
      let round = 0;
      for (; plan.injected.length < faults; round += 1) {
        const waits = await queueWrites(round);
        changeInSystem(round);
        await sync(round % 2 === 0 ? 'full' : 'incremental');
        for (const wait of waits) await wait();
      }
      plan.isOver = true;
      return round;
    },
    async listedAtTheEnd() {
      // The first pass can continue one that failed, and that saw jobs that were removed later.
      for (const _ of ['continued', 'new']) if (!(await sync('full'))) throw new Error('A pass without faults failed.');
      const all: Shown[] = [];
      for await (const { _idValue, name, description } of client.workOrders.list({ per_page: 100 }))
        all.push({ key: _idValue, name: name ?? '', notes: description ?? null });
      return all.sort(byKey);
    },
    async reported(kind) {
      const keys: string[] = [];
      for await (const { record } of client.changes.list({ kind: [kind], include: ['record'] }))
        keys.push(String(record?._idValue));
      return keys;
    },
  };
}

/** Starts a pass, whose pages can fail, and waits until it ends; returns whether it succeeded. */
async function synchronized({ engine }: Stack, scope: Parts['scope'], mode: SyncMode): Promise<boolean> {
  const statusNow = async () => (await engine.syncStatus(scope))[0];
  const before = await statusNow();
  await engine.requestSync(scope.connectionId, mode);
  const end = async () => {
    const now = await statusNow();
    // A pass that begins makes its stream due immediately, and a failure makes it due later.
    const hasFailed = now?.nextRunAt !== before?.nextRunAt && Date.parse(now?.nextRunAt ?? '') > Date.now();
    if (now?.runningSince !== null || (now.lastSuccessAt === before?.lastSuccessAt && !hasFailed))
      throw new Error(`The ${mode} sync has not ended in time: ${JSON.stringify({ before, now })}`);
    return now.error === null;
  };
  return vi.waitFor(end, { timeout: WAIT_MS, interval: 50 });
}

/** The jobs of the system in the form of `Shown`. */
export function jobsOf(system: JobSystem): Shown[] {
  const shown = ({ id, name, notes }: Job) => ({ key: String(id), name, notes });
  return [...system.jobs.values()].map(shown).sort(byKey);
}

function byKey(one: Shown, other: Shown): number {
  return Number(one.key) - Number(other.key);
}
