import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Harness } from './harness.ts';

/** A process with its own driver pool; see token-main.ts. */
export interface TokenProcess {
  /** Makes it call the system of a connection; resolves to `called`, or why that failed. */
  call(): Promise<unknown>;
  /** Kills it immediately (SIGKILL); resolves when it has ended. */
  kill(): Promise<void>;
}

/** Starts a process that calls the system of a connection on request; resolves when it is ready to. */
export async function startTokenProcess(
  { databaseUrl, directory }: Harness,
  connectionId: string,
): Promise<TokenProcess> {
  const main = fileURLToPath(new URL('./token-main.ts', import.meta.url));
  const child: ChildProcess = fork(main, [], {
    env: { ...process.env, DATABASE_URL: databaseUrl, DIRECTORY: directory, CONNECTION: connectionId },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return {
    async call() {
      const outcome = once(child, 'message');
      child.send('call');
      const [message] = await outcome;
      return message;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}
