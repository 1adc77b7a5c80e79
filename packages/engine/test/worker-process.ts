import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Harness } from './harness.ts';

/** A worker in a separate process, to be killed. */
export interface WorkerProcess {
  /** Kills it immediately (SIGKILL); resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts a worker in a separate process; resolves when it is running. */
export async function startWorkerProcess({ databaseUrl, directory }: Harness, syncs = 0): Promise<WorkerProcess> {
  const main = fileURLToPath(new URL('./worker-main.ts', import.meta.url));
  const child: ChildProcess = fork(main, [], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DIRECTORY: directory, SYNCS: String(syncs) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The worker ended (${code ?? signal}) before it was ready.`);
  });
  await Promise.race([once(child, 'message'), ended]);
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
