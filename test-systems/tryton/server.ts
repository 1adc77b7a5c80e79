import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Server, startServer } from '../server-process.ts';
import type { Kind } from './database.ts';

/** Environment without variables of the caller, which could redirect Python or Tryton. */
export const environment = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8', PYTHONWARNINGS: 'ignore' };

/**
 * Writes `trytond.conf` to `dir`; databases are in `dir/data`. `database` is the content of the section with this name. Port 0
 * means any free port.
 */
export async function configure(dir: string, database: string, port = 0): Promise<string> {
  await mkdir(join(dir, 'data'), { recursive: true });
  const config = join(dir, 'trytond.conf');
  const sections = [
    `[web]\nlisten = 127.0.0.1:${port}`,
    `[database]\n${database}\nlanguage = en`,
    '[session]\nauthentications = password\ntimeout = 86400',
  ];
  await writeFile(config, `${sections.join('\n')}\n`, { mode: 0o600 });
  return config;
}

/**
 * Starts the server on the databases in `dir` and waits until it listens. Its address does not include the name of a database.
 */
export async function serve({ series, storage }: Kind, dir: string, database: string, port = 0): Promise<Server> {
  await using started = new AsyncDisposableStack();
  const opened = await storage.open(dir, database);
  started.defer(() => opened.close());
  const config = await configure(dir, opened.settings, port);
  const server = await startServer({
    name: 'trytond',
    command: series.python,
    arguments: [join(series.programs, 'trytond'), '-c', config, '-d', database],
    cwd: dir,
    env: environment,
    ready: (output) => /Running on (http:\/\/127\.0\.0\.1:\d+)/.exec(output)?.[1],
  });
  started.defer(() => server.stop());
  await writeFile(join(dir, 'trytond.pid'), String(server.pid));
  const running = started.move();
  return { ...server, stop: () => running.disposeAsync() };
}
