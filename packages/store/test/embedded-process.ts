import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { identityOf } from '../src/embedded/postmaster.ts';

/** A process that uses the embedded server of a folder. */
export interface EmbeddedProcess {
  readonly url: string;
  /** Terminates it as a service manager does: it leaves the server first. */
  terminate(): Promise<void>;
  /** Kills it immediately. */
  kill(): Promise<void>;
  /** Makes its parent reap the zombie of a killed process. */
  reap(): Promise<void>;
}

const module = new URL('../src/embedded/start-embedded.ts', import.meta.url).href;

const program = `
  import { startEmbedded } from ${JSON.stringify(module)};
  const server = await startEmbedded({ dataDir: process.argv[1] });
  process.on('SIGTERM', () => server.stop().then(() => process.exit()));
  setInterval(() => {}, 60_000);
  process.stdout.write(JSON.stringify({ pid: process.pid, url: server.url }));`;

/**
 * Starts a process that uses the server; resolves when it does. Its parent does not wait for it, so it is a zombie from
 * its end until `reap` is called.
 */
export async function startProcess(dataDir: string): Promise<EmbeddedProcess> {
  const args = ['-c', '"$0" "$@" & exec cat', process.execPath, '--input-type=module', '-e', program, dataDir];
  const parent = spawn('sh', args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const gone = once(parent, 'exit');
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data');
  const { pid, url } = JSON.parse(line);
  const end = async (signal: NodeJS.Signals) => {
    process.kill(pid, signal);
    await expect.poll(() => identityOf(pid), { interval: 10, timeout: 120_000 }).toBe(null);
  };
  return {
    url,
    terminate: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async reap() {
      parent.stdin.end();
      await gone;
    },
  };
}
