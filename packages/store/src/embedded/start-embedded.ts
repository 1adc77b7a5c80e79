import type { ChildProcess } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findBinaries } from './binaries.ts';
import { clusterOf, launch, makeCluster, ownerOfCluster } from './cluster.ts';
import { createDatabase, dataDirectoryOf } from './databases.ts';
import { freePort } from './free-port.ts';
import { type Placement, place } from './placement.ts';
import { isAlive, readPostmaster, until } from './postmaster.ts';
import { newPassword, type Remembered, recall, remember } from './remembered.ts';
import { type Guarded, restartKilled } from './restart-killed.ts';
import { type ServerUser, serverUser } from './server-user.ts';
import { withStartLock } from './start-lock.ts';

export interface EmbeddedOptions {
  /** Folder for the files of the database; made when missing. */
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  /** Settings of PostgreSQL that differ from ours, for example `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running server of our own. */
export interface Embedded {
  /** Connection URL of the database `unified`, with the superuser's password: never log it. */
  readonly url: string;
  /** Whether a server that was already running was taken over. */
  readonly reused: boolean;
  /** Makes a database unless it exists, as a copy of `template` when given, and gives its connection URL. */
  createDatabase(name: string, template?: string): Promise<string>;
  /** Stops the server, unless another live process started it. End all pools first. */
  stop(): Promise<void>;
}

/** Chosen for two cores and a machine that does other things too; fsync and synchronous_commit stay on. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: totalmem() > 3e9 ? '256MB' : '64MB',
  work_mem: '16MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '2GB',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
};

/**
 * Starts the PostgreSQL that comes with this package, on 127.0.0.1 and a port of its own that stays the same where it
 * can. A server that an earlier process left behind is taken over; one that is killed is started again. Throws with a
 * remedy when it cannot run here.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const dataDir = resolve(options.dataDir);
  const log = options.log ?? (() => {});
  const binaries = await findBinaries();
  const user = await serverUser(await ownerOfCluster(join(dataDir, 'postgres')));
  const placement = await place(dataDir, binaries, user, log);
  const plan = { dataDir, placement, user, settings: { ...SETTINGS, ...options.settings } };
  return withStartLock(dataDir, async () => {
    const running = await adopt(plan);
    const server = running ?? (await start(plan, freePort));
    if (running) log(`Took over the PostgreSQL that runs on port ${running.remembered.port}`);
    const { port, password } = server.remembered;
    const urlOf = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
    const create = (name: string, template?: string) => createDatabase(urlOf, name, template);
    await create('unified');
    // What is done to the server of another live process is left to that.
    const stop = running?.guest ? async () => {} : stopper(plan, lookAfter(plan, server, log));
    return { url: urlOf('unified'), reused: running !== null, createDatabase: create, stop };
  });
}

/** Starts the server again when it is killed, where its clients look for it. */
function lookAfter(plan: Plan, { pid: first, remembered: { port } }: Running, log: (line: string) => void): Guarded {
  const restart = async (killed: number) => {
    // One that was stopped has taken its file away, and one that was started again has a new one.
    if ((await readPostmaster(clusterOf(plan.placement)))?.pid !== killed) return null;
    log('PostgreSQL was killed: starting it again');
    return (await start(plan, async () => port)).pid;
  };
  return restartKilled(first, (killed) => withStartLock(plan.dataDir, () => restart(killed)), log);
}

/** Helpers of a server that was killed live on for a moment and hold its memory; a free port may be taken meanwhile. */
const ATTEMPTS = 6;

/** Where and how a server runs. */
interface Plan {
  readonly dataDir: string;
  readonly placement: Placement;
  readonly user: ServerUser | null;
  readonly settings: Record<string, string>;
}

interface Running {
  readonly remembered: Remembered;
  readonly pid: number;
}

/** Takes over a running server; clears what a dead one left, whose process id may belong to a stranger by now. */
async function adopt({ dataDir, placement }: Plan): Promise<(Running & { guest: boolean }) | null> {
  const cluster = clusterOf(placement);
  const found = await readPostmaster(cluster);
  const remembered = await recall(dataDir);
  if (!found) return null;
  if (isAlive(found.pid) && remembered) {
    const url = `postgres://postgres:${remembered.password}@127.0.0.1:${found.port}/postgres`;
    if ((await settledDirectoryOf(url)) === cluster) {
      const guest = remembered.owner !== process.pid && isAlive(remembered.owner);
      const kept = { ...remembered, port: found.port, owner: guest ? remembered.owner : process.pid };
      await remember(dataDir, kept);
      return { remembered: kept, pid: found.pid, guest };
    }
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true });
  return null;
}

/** A server that lets nobody in now may be ours: what it works with must not be cleared. */
async function settledDirectoryOf(url: string): Promise<string | null> {
  let found: string | null | undefined;
  const isTold = async () => {
    found = await dataDirectoryOf(url);
    return found !== undefined;
  };
  await until(isTold, 60, `A PostgreSQL on port ${new URL(url).port} has let nobody in for a minute.`);
  return found ?? null;
}

async function start(
  { dataDir, placement, user, settings }: Plan,
  choosePort: (last?: number) => Promise<number>,
): Promise<Running> {
  const before = await recall(dataDir);
  const password = before?.password ?? newPassword();
  const cluster = clusterOf(placement);
  if (before === null) await refuseForeign(dataDir, placement);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = await choosePort(before?.port);
    const remembered = { port, password, owner: process.pid };
    await remember(dataDir, remembered);
    if ((await ownerOfCluster(cluster)) === null) await makeCluster(placement, user, password);
    const child = await launch(placement, user, { ...settings, port: String(port) });
    const pid = await ready(child, cluster);
    if (pid !== null) return { remembered, pid };
    await pause(attempt * 200 * (0.5 + Math.random()));
  }
  throw new Error(`PostgreSQL did not start; its log is ${join(placement.home, 'postgres.log')}`);
}

/** Process id of the server once it takes connections; null when it ended instead. */
async function ready(child: ChildProcess, cluster: string): Promise<number | null> {
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  const isReady = async () => {
    // The file of a server that was killed may still lie there.
    const found = await readPostmaster(cluster);
    return found?.pid === child.pid && found?.ready === true;
  };
  const decided = async () => ended() || (await isReady());
  await until(decided, 300, `PostgreSQL in ${cluster} was not ready after five minutes.`);
  return ended() ? null : (child.pid ?? null);
}

/** Without the remembered password nobody can enter a cluster. One that lies elsewhere outlived its `dataDir`. */
async function refuseForeign(dataDir: string, placement: Placement): Promise<void> {
  const cluster = clusterOf(placement);
  if ((await ownerOfCluster(cluster)) === null) return;
  if (placement.home !== dataDir) return rename(cluster, `${cluster}.${Date.now()}`);
  throw new Error(`${cluster} exists but ${join(dataDir, 'postgres.json')} with its password is missing. Restore it.`);
}

/** Seconds in which clients may end what they do. */
const CLIENTS_LEAVE = 2;

/** Stops politely; also when this process ends without asking, for which there is only time to send the signal. */
function stopper({ dataDir, placement }: Plan, server: Guarded): () => Promise<void> {
  const interrupt = () => {
    if (isAlive(server.pid())) process.kill(server.pid(), 'SIGINT');
  };
  process.once('exit', interrupt);
  const gone = async () => (await readPostmaster(clusterOf(placement)))?.pid !== server.pid();
  return async () => {
    process.off('exit', interrupt);
    await server.release();
    await withStartLock(dataDir, async () => {
      if (!isAlive(server.pid()) || (await gone())) return;
      // Clients that are about to leave are waited for; then those that stay are sent away.
      process.kill(server.pid(), 'SIGTERM');
      await until(gone, CLIENTS_LEAVE, '').catch(interrupt);
      await until(gone, 60, `PostgreSQL (process ${server.pid()}) did not stop within a minute.`);
    });
  };
}
