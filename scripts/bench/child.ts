import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serverEnvironment, serverFlags } from '../server-flags.mjs';

export interface Child {
  readonly url: string;
  /** Resident memory in bytes, as the process itself reports it. */
  memory(): Promise<number>;
  /** Bytes of its objects, after those that nothing refers to were collected. */
  heap(): Promise<number>;
  /** Seconds of CPU time that the process has used. */
  cpuSeconds(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a server of `servers/` in a separate process; resolves when it listens. */
export async function startServer(file: string, env: Readonly<Record<string, string>>): Promise<Child> {
  const child = fork(fileURLToPath(new URL(`servers/${file}`, import.meta.url)), {
    env: { ...process.env, ...serverEnvironment, NODE_ENV: 'production', ...env },
    // Standard output is for the results.
    stdio: ['ignore', process.stderr, 'inherit', 'ipc'],
    execArgv: file === 'ours.ts' || file === 'open.ts' ? serverFlags : ['--disable-warning=ExperimentalWarning'],
  });
  const { port } = await answerOf<{ port: number }>(child);
  return {
    url: `http://127.0.0.1:${port}`,
    async memory() {
      child.send('use');
      return (await answerOf<{ rss: number }>(child)).rss;
    },
    async heap() {
      child.send('collect');
      return (await answerOf<{ heap: number }>(child)).heap;
    },
    async cpuSeconds() {
      child.send('use');
      return (await answerOf<{ cpuSeconds: number }>(child)).cpuSeconds;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** The next message of a child; rejects if the child exits first. */
function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T));
    child.once('exit', (code) => reject(new Error(`A server of the benchmark exited with code ${code}.`)));
  });
}
