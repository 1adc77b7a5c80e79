import type { ChildProcess } from 'node:child_process';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { clusterOf, launch, logOf, makeCluster, ownerOfCluster } from './cluster.ts';
import type { Plan } from './placement.ts';
import { identityOf, readPostmaster } from './postmaster.ts';
import { recall, remember } from './remembered.ts';
import { findRunning, type Running } from './running-server.ts';
import { until } from './until.ts';

/** The processes of a killed server run a little longer and keep its memory, and another process may take the chosen port. */
const ATTEMPTS = 6;

/**
 * Finds the server, or starts it; call it under the start lock. `choosePort` is called with the port of the last start, and
 * `meanwhile` once while the server starts. Throws when the server does not start.
 */
export async function bringUp(
  plan: Plan,
  choosePort: (last?: number) => Promise<number>,
  meanwhile = () => {},
): Promise<{ running: Running; found: boolean }> {
  const found = await findRunning(plan);
  return { running: found ?? (await start(plan, choosePort, meanwhile)), found: found !== null };
}

async function start(
  plan: Plan,
  choosePort: (last?: number) => Promise<number>,
  meanwhile: () => void,
): Promise<Running> {
  const { dataDir, placement, user, settings } = plan;
  const cluster = clusterOf(placement);
  const before = await recall(dataDir);
  if (before === null) await refuseForeign(plan);
  if (before?.hasCluster) await refuseLost(plan);
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const port = await choosePort(before?.port);
    const { password } = await remember(dataDir, port);
    if ((await ownerOfCluster(cluster)) === null) await makeCluster(placement, user, password);
    const child = await launch(placement, user, { ...settings, port: String(port) });
    if (attempt === 1) meanwhile();
    const running = await ready(child, cluster);
    if (running) return { ...running, port };
    await pause(attempt * 200 * (0.5 + Math.random()));
  }
  throw new Error(`PostgreSQL did not start. ${logOf(placement)} ends with:\n${await endOfLog(plan)}`);
}

/** The process of the server once it accepts connections; null when it ended instead. */
async function ready(child: ChildProcess, cluster: string): Promise<Omit<Running, 'port'> | null> {
  // If this process ends now, nothing stops the server.
  const interrupt = () => child.kill('SIGINT');
  process.once('exit', interrupt);
  const look = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return { running: null };
    // The file of a server that was killed may still be there.
    const found = await readPostmaster(cluster);
    const identity = child.pid === undefined ? null : identityOf(child.pid);
    if (!found?.ready || found.pid !== child.pid || identity === null) return null;
    return { running: { pid: found.pid, identity } };
  };
  try {
    return (await until(look, 300, `PostgreSQL in ${cluster} was not ready after five minutes.`)).running;
  } catch (error) {
    interrupt();
    throw error;
  } finally {
    process.off('exit', interrupt);
  }
}

/**
 * A cluster cannot be used without its password. A cluster in a shared folder whose data directory is missing is a remnant of a
 * deleted one.
 */
async function refuseForeign({ dataDir, placement }: Plan): Promise<void> {
  const cluster = clusterOf(placement);
  if ((await ownerOfCluster(cluster)) === null) return;
  if (placement.home !== dataDir) return rename(cluster, `${cluster}.${Date.now()}`);
  throw new Error(`${cluster} exists but ${join(dataDir, 'postgres.json')} with its password is missing. Restore it.`);
}

/** If the cluster is lost or not mounted, a new empty one in its place would look like a new installation. */
async function refuseLost({ dataDir, placement }: Plan): Promise<void> {
  const cluster = clusterOf(placement);
  if ((await ownerOfCluster(cluster)) !== null) return;
  const file = join(dataDir, 'postgres.json');
  throw new Error(
    `The database in ${cluster} is missing, but ${file} of an earlier start exists. Mount or restore it. ` +
      `To begin with an empty database, delete ${dataDir}.`,
  );
}

async function endOfLog({ placement }: Plan): Promise<string> {
  const lines = (await readFile(logOf(placement), 'utf8')).trimEnd().split('\n');
  return lines.slice(-5).join('\n');
}
