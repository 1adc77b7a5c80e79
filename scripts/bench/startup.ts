import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Part } from './budget.ts';

const script = fileURLToPath(new URL('../start.ts', import.meta.url));

/** Seconds until the server is ready with an existing database, and its memory after every check was compiled. */
export const startup: Part = {
  name: 'startup',
  about: 'process ready from start with an existing database; memory after warm-up',
  async measure(bench) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
    try {
      await run(dataDir);
      const { seconds, megabytes } = await run(dataDir);
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

/** Starts the server as `npm start` does, waits for the line to try, and stops it. */
async function run(dataDir: string): Promise<{ seconds: number; megabytes: number }> {
  const began = performance.now();
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', script], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', PUBLIC_URL: 'http://localhost:4000' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => line.includes('curl ') && resolve());
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)));
  });
  const seconds = (performance.now() - began) / 1000;
  const megabytes = await settledMemory(child.pid ?? 0);
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  return { seconds, megabytes };
}

/** Resident memory once it has not grown for a second: the checks of all operations are compiled by then. */
async function settledMemory(pid: number): Promise<number> {
  const { setTimeout: pause } = await import('node:timers/promises');
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
