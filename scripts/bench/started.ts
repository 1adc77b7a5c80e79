import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../packages/store/src/embedded/free-port.ts';
import { serverEnvironment, serverFlags } from '../server-flags.mjs';

const script = fileURLToPath(new URL('../start.mjs', import.meta.url));

export interface StartOptions {
  readonly dataDir: string;
  readonly port?: number;
  /** Additional Node flags. */
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A server as `npm start` runs it, with the sandbox company. */
export interface Started {
  /** Seconds until it printed the `curl` command. */
  readonly seconds: number;
  readonly url: string;
  /** Token of the sandbox. */
  readonly token: string;
  /** Sends a request below `/v4` with that token; returns the status, the body and the milliseconds. */
  ask(method: string, path: string): Promise<{ status: number; text: string; ms: number }>;
  /** Resident memory in megabytes. */
  megabytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a server as `npm start` does and waits for the `curl` command. */
export async function startServerAsUsersDo(options: StartOptions): Promise<Started> {
  const { dataDir, flags = [], env = {} } = options;
  const port = options.port ?? (await freePort());
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, ...serverFlags, script], {
    env: { ...process.env, ...serverEnvironment, DATA_DIR: dataDir, PORT: String(port), ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => line.includes('curl ') && resolve());
    child.once('exit', (code) => reject(new Error(`The server exited with code ${code} before it was ready.`)));
  });
  const seconds = (performance.now() - began) / 1000;
  const { connections } = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  const url = `http://127.0.0.1:${port}`;
  const token: string = connections[0].token;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  return {
    seconds,
    url,
    token,
    async ask(method, path) {
      const sent = performance.now();
      const body = method === 'POST' ? '{"unheardOf":1}' : null;
      const response = await fetch(`${url}/v4${path}`, { method, headers, body });
      const text = await response.text();
      return { status: response.status, text, ms: performance.now() - sent };
    },
    megabytes: () => residentMegabytes(child.pid ?? 0),
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Waits until the sandbox company is copied. */
export async function copied(server: Started): Promise<void> {
  for (let waiting = true; waiting; ) {
    await pause(500);
    const { data } = JSON.parse((await server.ask('GET', '/sync-status')).text) as {
      data: { lastSuccessAt: string | null }[];
    };
    waiting = data.some(({ lastSuccessAt }) => lastSuccessAt === null);
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}
