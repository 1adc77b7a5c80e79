import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from '@unified/testing';

/** A process of the service, as `npm start` starts it, in its own process group. */
export interface StartedProcess {
  readonly pid: number;
  /** Address of the API without `/v4`; that of a worker leads nowhere. */
  readonly baseUrl: string;
  /** Address of `/livez`, `/readyz` and `/metrics`. */
  readonly operatorUrl: string;
  /** Sends SIGTERM; resolves when the process has begun to stop. */
  terminate(): Promise<void>;
  /** What it has printed. */
  lines(): readonly string[];
  /** Kills it immediately (SIGKILL); resolves when it has exited. Rejects if it had already exited. */
  kill(): Promise<void>;
  /** Resolves with its exit code; null: a signal ended it. */
  exit(): Promise<number | null>;
}

const START = fileURLToPath(new URL('../../../scripts/start.mjs', import.meta.url));
const OPERATOR = /\/metrics are served at (\S+)/;
const API = /Listening .*, port (\d+)/;
const WORKER = /the worker is running/;

/** What a process needs of a database; without `url`, it starts the embedded PostgreSQL in `dataDir`. */
type OpenedBy = Pick<TestDatabase, 'url' | 'dataDir'> & { readonly store: Pick<TestDatabase['store'], 'publicUrl'> };

/** Starts a process on the database, on free ports; resolves when it is ready. `env` has more of its settings. */
export async function startProcess(
  { url, dataDir, store }: OpenedBy,
  role: 'all' | 'api' | 'worker',
  env: Readonly<Record<string, string>> = {},
): Promise<StartedProcess> {
  const child = spawn(process.execPath, [START, '--role', role], {
    env: {
      ...process.env,
      ...{ DATABASE_URL: url, DATA_DIR: dataDir, PUBLIC_URL: store.publicUrl, SANDBOX: 'off' },
      ...{ PORT: '0', OPERATOR_PORT: '0', LOG_LEVEL: process.env.LOG_LEVEL ?? 'error' },
      REQUESTS_PER_MINUTE: 'data=1000000,management=1000000',
      ...env,
    },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const gone = once(child, 'exit').finally(() => process.off('exit', end));
  const output = new Output(child, gone);
  const [, operatorUrl = ''] = await output.line(OPERATOR);
  const [, port = ''] = await output.line(role === 'worker' ? WORKER : API);
  return {
    ...{ pid: child.pid ?? 0, baseUrl: `http://127.0.0.1:${port}`, operatorUrl },
    lines: () => output.lines,
    async terminate() {
      child.kill('SIGTERM');
      await output.line(/stopping/);
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) await output.endedEarly;
      child.kill('SIGKILL');
      await gone;
    },
    exit: async () => (await gone)[0],
  };
}

/** What a process prints. */
class Output {
  readonly lines: string[] = [];
  readonly #awaited = new Map<RegExp, (found: RegExpExecArray) => void>();
  /** Rejects, with what the process printed, when it has ended. */
  readonly endedEarly: Promise<never>;

  constructor({ stdout, stderr }: ChildProcess, gone: Promise<readonly unknown[]>) {
    for (const stream of [stdout, stderr]) if (stream) createInterface(stream).on('line', (line) => this.#add(line));
    this.endedEarly = gone.then(([code]) => {
      throw new Error(`the process exited with code ${code}:\n${this.lines.join('\n')}`);
    });
    this.endedEarly.catch(() => undefined);
  }

  /** The first line that matches, printed already or later. */
  line(wanted: RegExp): Promise<RegExpExecArray> {
    const { promise, resolve } = Promise.withResolvers<RegExpExecArray>();
    this.#awaited.set(wanted, resolve);
    for (const line of this.lines) this.#match(wanted, line);
    return Promise.race([promise, this.endedEarly]);
  }

  #add(line: string): void {
    this.lines.push(line);
    for (const wanted of this.#awaited.keys()) this.#match(wanted, line);
  }

  #match(wanted: RegExp, line: string): void {
    const found = wanted.exec(line);
    if (!found) return;
    this.#awaited.get(wanted)?.(found);
    this.#awaited.delete(wanted);
  }
}
