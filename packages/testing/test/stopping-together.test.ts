import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type StartedProcess, startProcess } from './started-process.ts';

// Starts processes and databases, which is slow on a busy machine.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

let dataDir: string;
let service: StartedProcess;

beforeEach(async () => {
  // Without the word that `terminate` waits for: the output names the folder.
  dataDir = await mkdtemp(join(tmpdir(), 'unified-together-'));
});
afterEach(async () => {
  await rm(dataDir, { recursive: true });
});

/** Starts the service with the embedded PostgreSQL. The sandbox company is being copied when it is ready. */
async function start(sandbox: 'on' | 'off'): Promise<void> {
  const database = { url: '', dataDir, store: { publicUrl: 'http://localhost:4000' } };
  service = await startProcess(database, 'all', { SANDBOX: sandbox });
}

/** The process of the embedded PostgreSQL. */
async function postmaster(): Promise<number> {
  const location = await readFile(join(dataDir, 'LOCATION'), 'utf8').catch(() => ` ${dataDir}`);
  const folder = location.trim().split(' ').at(-1) ?? '';
  const [pid] = (await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

function childrenOf(parent: number): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = rows.map((row) => row.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([pid = 0, ppid]) => (ppid === parent ? [pid] : []));
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Waits for the end of the service, which must be ordinary. */
async function ends(database: number): Promise<void> {
  expect(await service.exit()).toBe(0);
  await expect.poll(() => isRunning(database), { timeout: 60_000 }).toBe(false);
  expect(service.lines().filter((line) => /"level":[56]0|restarting|cannot/i.test(line))).toEqual([]);
}

test('a signal to the process group does not reach PostgreSQL, which serves until the process has stopped', async () => {
  await start('off');
  const database = await postmaster();
  process.kill(-service.pid, 'SIGTERM');
  await ends(database);
});

test('PostgreSQL is not restarted if it is stopped with the service, and nothing is logged as an error', async () => {
  await start('on');
  const database = await postmaster();
  await service.terminate();
  for (const pid of [database, ...childrenOf(database)]) if (isRunning(pid)) process.kill(pid, 'SIGTERM');
  await ends(database);
});
