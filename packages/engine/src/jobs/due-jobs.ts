import { DefinitionError } from '@unified/connectors';
import {
  dueConnections,
  dueQueues,
  endpointsWithWork,
  expiredConnections,
  markUnreadDue,
  type OwnedConnection,
  platformsInUse,
  type Store,
  underivedConnections,
} from '@unified/store';
import type { Systems } from '../model/systems.ts';
import { fairTurns } from './fair-turns.ts';
import type { JobPlace, Jobs, Payloads, RunName } from './jobs.ts';

/** Maximum number of jobs that one call adds; the next call adds more. */
const MOST = 1_000;

/** Maximum number of due connections among which those without a job are found. Many may wait for the place of a long run. */
const MOST_DUE = 20_000;

/*
 * What is due stays due until a worker has done it. Jobs that wait are therefore not added again: with a thousand connections to
 * synchronize, each sweep of each worker would otherwise write a thousand rows.
 */

/** Where each kind of job finds what is due, longest due first, and how it is added. */
const DUE: {
  readonly [Name in Exclude<keyof Payloads, RunName>]: {
    find(store: Store, most: number): Promise<string[]>;
    add(jobs: Jobs, id: string): Promise<void>;
  };
} = {
  'drain-queue': { find: dueQueues, add: (jobs, connectionId) => jobs.addDrainJob(connectionId) },
  'deliver-events': { find: endpointsWithWork, add: (jobs, endpointId) => jobs.addDeliveryJob(endpointId) },
};

/** The same for runs, which take turns. */
const DUE_RUNS: {
  readonly [Name in RunName]: {
    find(store: Store, most: number): Promise<OwnedConnection[]>;
    add(jobs: Jobs, connectionId: string, place: JobPlace): Promise<void>;
  };
} = {
  'derive-connection': { find: underivedConnections, add: (jobs, id, place) => jobs.addDerivationJob(id, place) },
  'sync-connection': { find: dueConnections, add: (jobs, id, place) => jobs.addSyncJob({ connectionId: id }, place) },
  'remove-connection': { find: expiredConnections, add: (jobs, id, place) => jobs.addRemovalJob(id, place) },
};

/** Adds jobs with this name for the connections or endpoints that need one, according to the tables. */
export async function addDue(store: Store, jobs: Jobs, name: keyof typeof DUE): Promise<void> {
  const { find, add } = DUE[name];
  for (const id of await jobs.withoutWaitingJob(name, await find(store, MOST))) await add(jobs, id);
}

/** Adds the runs with these names that are due according to the tables. The first turns are added first. */
export async function addDueRuns(store: Store, jobs: Jobs, names: readonly RunName[]): Promise<void> {
  const due: (OwnedConnection & { name: RunName })[] = [];
  for (const name of names)
    for (const connection of await DUE_RUNS[name].find(store, MOST_DUE)) due.push({ ...connection, name });
  const waiting = await jobs.waitingRuns(due);
  const turns = fairTurns(due.map(({ owner }, index) => ({ owner, waiting: waiting[index] ?? null })));
  const added = due.flatMap(({ name, id }, index) => {
    const turn = turns[index] ?? null;
    return turn === null ? [] : [{ name, id, turn }];
  });
  const first = added.toSorted((a, b) => a.turn - b.turn).slice(0, MOST);
  for (const { name, id, turn } of first) await DUE_RUNS[name].add(jobs, id, { turn });
}

/** Makes streams that are new in this release due immediately, not only when their connections are. */
export async function markNewStreamsDue(store: Store, systems: Systems): Promise<void> {
  for (const platform of await platformsInUse(store))
    await markUnreadDue(store, platform, streamsOf(systems, platform));
}

/** Names of the streams of a platform; none for one that this release does not have. */
function streamsOf(systems: Systems, platform: string): readonly string[] {
  try {
    return systems.platformOf(platform).streams.map(({ name }) => name);
  } catch (error) {
    if (error instanceof DefinitionError) return [];
    throw error;
  }
}
