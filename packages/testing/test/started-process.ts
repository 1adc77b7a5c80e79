import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@unified/testing';

/** A process as `npm start` starts it. */
export interface StartedProcess {
  /** Kills it immediately (SIGKILL); resolves when it has exited. Rejects if it had already exited. */
  kill(): Promise<void>;
}

/** The API and a worker in one process. */
export interface ServiceProcess extends StartedProcess {
  /** Address of the server, without `/v4`. */
  readonly baseUrl: string;
}

const START = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));

/** Starts a worker on the database; resolves when it is running. */
export async function startWorkerProcess(database: TestDatabase): Promise<StartedProcess> {
  const { kill } = await start(database, ['--role', 'worker'], /the worker is running/);
  return { kill };
}

/** Starts the API and a worker on the database; resolves when it serves requests. */
export async function startServiceProcess(database: TestDatabase): Promise<ServiceProcess> {
  const { kill, ready } = await start(database, [], /Listening +\S+, port (\d+)/);
  return { kill, baseUrl: `http://127.0.0.1:${ready[1]}` };
}

/** Starts a process; resolves when it prints `sign`, with the match. */
async function start({ url, dataDir, store }: TestDatabase, options: readonly string[], sign: RegExp) {
  const child = spawn(process.execPath, [START, ...options], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_DIR: dataDir,
      PUBLIC_URL: store.publicUrl,
      PORT: '0',
      SANDBOX: 'off',
      REQUESTS_PER_MINUTE: 'data=1000000,management=1000000',
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'error',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const gone = once(child, 'exit').finally(() => process.off('exit', end));
  const lines: string[] = [];
  const isReady = Promise.withResolvers<RegExpExecArray>();
  for (const output of [child.stdout, child.stderr]) {
    createInterface(output).on('line', (line) => {
      lines.push(line);
      const found = sign.exec(line);
      if (found) isReady.resolve(found);
    });
  }
  const endedEarly = gone.then(([code]) => {
    throw new Error(`the process exited with code ${code}:\n${lines.join('\n')}`);
  });
  const ready = await Promise.race([isReady.promise, endedEarly]);
  endedEarly.catch(() => undefined);
  return {
    ready,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) await endedEarly;
      child.kill('SIGKILL');
      await gone;
    },
  };
}
