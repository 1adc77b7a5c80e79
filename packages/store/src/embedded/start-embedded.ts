import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { findBinaries } from './binaries.ts';
import { bringUp } from './bring-up.ts';
import { claimDirectory } from './claim.ts';
import { ownerOfCluster } from './cluster.ts';
import { createDatabase } from './databases.ts';
import { freePort } from './free-port.ts';
import { explainFullDisk } from './full-disk.ts';
import { leaver } from './leave-server.ts';
import { ensureLogins, OWNER, SYSTEM } from './logins.ts';
import { refuseOtherHost } from './one-host.ts';
import { type Plan, place } from './placement.ts';
import { remember, superuserUrl } from './remembered.ts';
import type { Running } from './running-server.ts';
import { serverUser } from './server-user.ts';
import { sharedBuffers } from './shared-buffers.ts';
import { useServer, withStartLock } from './users.ts';
import { watchServer } from './watch-server.ts';

export interface EmbeddedOptions {
  /** Folder for the files of the database; created if missing. */
  readonly dataDir: string;
  readonly log?: (line: string) => void;
  /** Settings of PostgreSQL that override ours, for example `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called once while the server starts, which takes a fraction of a second: for work that needs no database. */
  readonly meanwhile?: () => void;
  /** Whether no other process may use the server at the same time. */
  readonly alone?: boolean;
}

/** A running embedded server. */
export interface Embedded {
  /**
   * Connection URL of the database `unified`, for its owner, which is not a superuser. It contains a password: never log it.
   */
  readonly url: string;
  /** Whether a server that was already running is used. */
  readonly reused: boolean;
  /** Creates a database of a connected system if it does not exist. Returns its URL, whose user cannot connect to `unified`. */
  createDatabase(name: string): Promise<string>;
  /** Call it when this process begins to stop: from then on, it does not restart the server. */
  beginStop(): void;
  /** Leaves the server, and stops it when no other process uses it. End all pools first. */
  stop(): Promise<void>;
}

/** Chosen for two cores and a machine that does other work as well. fsync and synchronous_commit stay on. */
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  // Each process of the service opens up to 60, and its connections to the sandbox company.
  max_connections: '300',
  shared_buffers: sharedBuffers(),
  work_mem: '16MB',
  maintenance_work_mem: '64MB',
  // Limits the log that a killed server must replay before it accepts connections again: 3 s for half of it. A smaller log
  // means more checkpoints, and a page that changes after a checkpoint is logged whole: 10 kB of log per synced row instead of
  // 6.
  max_wal_size: '1GB',
  checkpoint_timeout: '5min',
  random_page_cost: '1.1',
  max_parallel_workers_per_gather: '0',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
};

/**
 * Starts the PostgreSQL of this package, on 127.0.0.1 and its own port, which stays the same if possible, or joins the server
 * that is already running for this folder. Every process that uses it restarts it if it ends, and the last one stops it. Throws
 * an error with a remedy if it cannot run here, and `DataDirectoryError` if this process may not use the folder.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  await mkdir(options.dataDir, { recursive: true });
  // Processes may refer to one folder by different paths; PostgreSQL reports the real path.
  const dataDir = await realpath(options.dataDir);
  const claim = await claimDirectory(dataDir, options.alone ?? false);
  try {
    const server = await startOrJoin(dataDir, options);
    const stop = () => server.stop().finally(() => claim.release());
    let stopped: Promise<void> | undefined;
    return { ...server, stop: () => (stopped ??= stop()) };
  } catch (error) {
    claim.release();
    throw error;
  }
}

async function startOrJoin(dataDir: string, options: EmbeddedOptions): Promise<Embedded> {
  const log = options.log ?? (() => {});
  const binaries = await findBinaries();
  const user = await serverUser(await ownerOfCluster(join(dataDir, 'postgres')));
  const placement = await place(dataDir, binaries, user, log);
  const plan = { dataDir, placement, user, settings: { ...SETTINGS, ...options.settings } };
  try {
    return await withStartLock(dataDir, () => open(plan, log, options.meanwhile));
  } catch (error) {
    throw await explainFullDisk(error, placement.home);
  }
}

async function open(plan: Plan, log: (line: string) => void, meanwhile?: () => void): Promise<Embedded> {
  const { dataDir } = plan;
  await refuseOtherHost(dataDir);
  const use = await useServer(dataDir);
  let current: () => Running | null = () => null;
  const leave = leaver(plan, use, () => current());
  try {
    const { running, found } = await bringUp(plan, freePort, meanwhile);
    current = () => running;
    if (found) log(`using the PostgreSQL that runs on port ${running.port}`);
    const server = await remember(dataDir, running.port, { hasCluster: true });
    await ensureLogins(superuserUrl(server), server.logins);
    const url = await createDatabase(server, 'unified', OWNER);
    const watched = watchServer(running, () => restart(plan, running.port), log);
    current = watched.current;
    return {
      url,
      reused: found,
      createDatabase: (name) => withStartLock(dataDir, () => createDatabase(server, name, SYSTEM)),
      beginStop: () => void watched.release(),
      async stop() {
        await watched.release();
        await withStartLock(dataDir, leave);
      },
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Brings the server up on the port that its clients know. */
async function restart(plan: Plan, port: number): Promise<Running> {
  try {
    return await withStartLock(plan.dataDir, async () => (await bringUp(plan, async () => port)).running);
  } catch (error) {
    throw await explainFullDisk(error, plan.placement.home);
  }
}
