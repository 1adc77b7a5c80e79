import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operations } from '@unified/contract';
import { freePort } from '../free-port.ts';
import { serverEnvironment, serverFlags } from '../server-flags.mjs';
import type { Part } from './budget.ts';

const script = fileURLToPath(new URL('../start.mjs', import.meta.url));

/** Operations whose first hit is measured, of each kind. */
const SAMPLE = 40;

/** A server as `npm start` runs it. */
interface Started {
  readonly seconds: number;
  readonly pid: number;
  /** Asks for an address below `/v4` with the token of the sandbox; gives the status, the body and the milliseconds. */
  ask(method: string, path: string): Promise<{ status: number; text: string; ms: number }>;
  stop(): Promise<void>;
}

/** Seconds until the server is ready with an existing database, what its first users wait for, and its memory. */
export const startup: Part = {
  name: 'startup',
  about: 'process ready from start with an existing database; first hits; memory after warm-up',
  async measure(bench) {
    const dataDir = await mkdtemp(join(tmpdir(), 'bench-start-'));
    try {
      const port = await freePort();
      const first = await start(dataDir, port);
      await copied(first);
      await first.stop();
      const server = await start(dataDir, port);
      const coldMs = (await server.ask('GET', '/vendors')).ms;
      const megabytes = await settledMemory(server.pid);
      const warmMs = Math.max(...(await firstHits(server)));
      await server.stop();
      const { seconds } = server;
      bench.say(
        `ready after ${seconds.toFixed(2)} s, ${Math.round(megabytes)} MB after warm-up; first request ${Math.round(coldMs)} ms, ` +
          `slowest first hit of ${SAMPLE * 2} operations once warm ${Math.round(warmMs)} ms`,
      );
      const figures = {
        'ready s': seconds,
        'memory MB': megabytes,
        'first request ms': coldMs,
        'first hit ms': warmMs,
      };
      return [
        { name: 'ready with an existing database', value: seconds, unit: 's', budget: { atMost: 2 }, figures },
        { name: 'first request, sent when ready', value: coldMs, unit: 'ms', budget: { atMost: 500 }, figures },
        { name: 'slowest first hit once warm', value: warmMs, unit: 'ms', budget: { atMost: 100 }, figures },
        { name: 'memory after warm-up', value: megabytes, unit: 'MB', budget: { atMost: 250 }, figures },
      ];
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};

/** Starts the server as `npm start` does and waits for the line to try. */
async function start(dataDir: string, port: number): Promise<Started> {
  const began = performance.now();
  const child = spawn(process.execPath, [...serverFlags, script], {
    env: { ...process.env, ...serverEnvironment, DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => line.includes('curl ') && resolve());
    child.once('exit', (code) => reject(new Error(`The server ended with ${code} before it was ready.`)));
  });
  const seconds = (performance.now() - began) / 1000;
  const { connections } = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  const headers = { Authorization: `Bearer ${connections[0].token}`, 'Content-Type': 'application/json' };
  return {
    seconds,
    pid: child.pid ?? 0,
    async ask(method, path) {
      const sent = performance.now();
      const body = method === 'POST' ? '{"unheardOf":1}' : null;
      const response = await fetch(`http://127.0.0.1:${port}/v4${path}`, { method, headers, body });
      const text = await response.text();
      return { status: response.status, text, ms: performance.now() - sent };
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Waits until the sandbox company is copied: what a first start does besides is not what is measured. */
async function copied(server: Started): Promise<void> {
  for (let waiting = true; waiting; ) {
    await pause(500);
    const { data } = JSON.parse((await server.ask('GET', '/sync-status')).text) as {
      data: { lastSuccessAt: string | null }[];
    };
    waiting = data.some(({ lastSuccessAt }) => lastSuccessAt === null);
  }
}

/** Milliseconds of requests to operations that nobody has called yet: lists, and creates with a body that is refused. */
async function firstHits(server: Started): Promise<number[]> {
  const taken: number[] = [];
  for (const [kind, method, status] of [['list', 'GET', 200] as const, ['create', 'POST', 400] as const]) {
    const untouched = operations.filter((operation) => operation.kind === kind && operation.path !== '/vendors');
    for (const { id, path } of untouched.filter(({ path }) => !path.includes('{')).slice(0, SAMPLE)) {
      const answer = await server.ask(method, path);
      if (answer.status !== status) throw new Error(`${id} answered ${answer.status}: ${answer.text}`);
      taken.push(answer.ms);
    }
  }
  return taken;
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
