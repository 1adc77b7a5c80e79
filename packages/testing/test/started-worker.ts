import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@unified/testing';

/** A worker in a separate process, as `npm start -- --role worker` starts it. */
export interface WorkerProcess {
  /** Kills it immediately (SIGKILL); resolves when it has exited. Rejects if it had already exited. */
  kill(): Promise<void>;
}

const START = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

/** Starts a worker on the database; resolves when it is running. */
export async function startWorkerProcess({ url, dataDir, store }: TestDatabase): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [START, '--role', 'worker'], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      PUBLIC_URL: store.publicUrl,
      SANDBOX: 'off',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
    },
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const gone = once(child, 'exit').finally(() => process.off('exit', end));
  const lines: string[] = [];
  const works = Promise.withResolvers<void>();
  createInterface(child.stderr).on('line', (line) => {
    lines.push(line);
    if (line.includes('the worker is running')) works.resolve();
  });
  const endedEarly = gone.then(([code]) => {
    throw new Error(`the worker exited with code ${code}:\n${lines.join('\n')}`);
  });
  await Promise.race([works.promise, endedEarly]);
  endedEarly.catch(() => undefined);
  return {
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) await endedEarly;
      child.kill('SIGKILL');
      await gone;
    },
  };
}
