import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Harness } from './harness.ts';

/** A worker in a separate process, to be killed. */
export interface WorkerProcess {
  /** Lets a prepared worker begin. */
  begin(): Promise<void>;
  /** Kills it immediately (SIGKILL); resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts a worker in a separate process; resolves when it is running. */
export async function startWorkerProcess(harness: Harness, syncs = 0): Promise<WorkerProcess> {
  const worker = await prepareWorkerProcess(harness, syncs);
  await worker.begin();
  return worker;
}

/** Starts a process whose worker begins on request; resolves when it is ready to. */
export async function prepareWorkerProcess({ databaseUrl, directory }: Harness, syncs = 0): Promise<WorkerProcess> {
  const main = fileURLToPath(new URL('./worker-main.ts', import.meta.url));
  const child: ChildProcess = fork(main, [], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DIRECTORY: directory, SYNCS: String(syncs), WAITS: 'yes' },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The worker ended (${code ?? signal}) before it was ready.`);
  });
  ended.catch(() => {});
  await Promise.race([once(child, 'message'), ended]);
  return {
    async begin() {
      const working = once(child, 'message');
      child.send('begin');
      await Promise.race([working, ended]);
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
