import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../free-port.ts';
import { serverFlags } from '../server-flags.mjs';
import type { Part } from './budget.ts';

const script = fileURLToPath(new URL('../start.ts', import.meta.url));

/** Seconds until the server is ready with an existing database, and its memory after every check was compiled. */
export const startup: Part = {
  name: 'startup',
  about: 'process ready from start with an existing database; memory after warm-up',
  async measure(bench) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
    try {
      const port = await freePort();
      await run(dataDir, port, copied);
      const { seconds, megabytes } = await run(dataDir, port);
      bench.say(`ready after ${seconds.toFixed(2)} s, ${Math.round(megabytes)} MB after warm-up`);
      const figures = { 'ready s': seconds, 'memory MB': megabytes };
      return [
        { name: 'ready with an existing database', value: seconds, unit: 's', budget: { atMost: 2 }, figures },
        { name: 'memory after warm-up', value: megabytes, unit: 'MB', budget: { atMost: 250 }, figures },
      ];
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Waits until the sandbox company is copied: what a first start does besides is not what is measured. */
async function copied(dataDir: string, port: number): Promise<void> {
  const { connections } = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  const headers = { Authorization: `Bearer ${connections[0].token}` };
  const count = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/v4/purchase-order-lines?per_page=1&with_total=true`, {
      headers,
    });
    return ((await response.json()) as { meta: { total: number } }).meta.total;
  };
  for (let before = -1, now = 0; now === 0 || now !== before; before = now, now = await count()) await pause(1000);
}

/** Starts the server as `npm start` does, waits for the line to try, then for `ready`, and stops it. */
async function run(
  dataDir: string,
  port: number,
  ready: (dataDir: string, port: number) => Promise<void> = async () => {},
): Promise<{ seconds: number; megabytes: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, [...serverFlags, script], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => line.includes('curl ') && resolve());
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)));
  });
  const seconds = (performance.now() - began) / 1000;
  await ready(dataDir, port);
  const megabytes = await settledMemory(child.pid ?? 0);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return { seconds, megabytes };
}

/** Resident memory once it has not grown for a second: the checks of all operations are compiled by then. */
async function settledMemory(pid: number): Promise<number> {
  let last = 0;
  for (let still = 0; still < 4; still += 1) {
    await pause(250);
    const now = await residentMegabytes(pid);
    if (now > last + 1) still = 0;
    last = Math.max(last, now);
  }
  return last;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
