import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A running server process. */
export interface Server {
  /** Without the name of a database: `http://127.0.0.1:43211`. */
  readonly url: string;
  readonly pid: number;
  /** Stops the process and waits until it has exited. */
  stop(): Promise<void>;
}

/** Debian's interpreter: a different one earlier in PATH has no Tryton. */
export const python = '/usr/bin/python3';

/** Without variables of the caller, which could redirect Python or Tryton. */
export const environment = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', PYTHONWARNINGS: 'ignore' };

/** Writes `trytond.conf` to `dir`; databases are in `dir/data`. Port 0 means any free port. */
export async function configure(dir: string, port = 0): Promise<string> {
  const data = join(dir, 'data');
  await mkdir(data, { recursive: true });
  const config = join(dir, 'trytond.conf');
  const sections = [
    `[web]\nlisten = 127.0.0.1:${port}`,
    `[database]\nuri = sqlite://\npath = ${data}\nlanguage = en`,
    '[session]\nauthentications = password\ntimeout = 86400',
  ];
  await writeFile(config, `${sections.join('\n')}\n`);
  return config;
}

/** Starts the server on the databases in `dir` and waits until it listens. */
export async function serve(dir: string, database: string, port = 0): Promise<Server> {
  const config = await configure(dir, port);
  const child = spawn(python, ['/usr/bin/trytond', '-c', config, '-d', database], {
    cwd: dir,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const url = await listening(child);
  await writeFile(join(dir, 'trytond.pid'), String(child.pid));
  return {
    url,
    pid: child.pid ?? 0,
    async stop() {
      process.off('exit', kill);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(kill, 5_000);
      await gone;
      clearTimeout(late);
    },
  };
}

/** The address in the line with which the server reports that it is listening. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`trytond exited with code ${code}:\n${said}`)));
    child.stderr?.on('data', (chunk) => {
      // Keep reading: a full pipe would stop the server.
      if (said.length < 100_000) said += chunk;
      const url = /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
      if (url) resolve(url);
    });
  });
}
