import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createConnection } from 'mysql2/promise';
import { freePort } from '../../store/src/embedded/free-port.ts';

/** A separate MariaDB for a test file. */
export interface RunningMariaDb {
  /** Address with a login that may do everything, and with an empty database. */
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a MariaDB in a temporary folder; `stop` ends it and removes the folder. */
export async function startMariaDb(): Promise<RunningMariaDb> {
  const folder = mkdtempSync(join(tmpdir(), 'mariadb-'));
  const port = await freePort();
  const script = fileURLToPath(new URL('../../../test-systems/mariadb/start.sh', import.meta.url));
  const child = spawn('sh', [script, folder, String(port)], { stdio: ['ignore', 'ignore', 'pipe'] });
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  await ready(child);
  return {
    url: `mysql://erp:erp@127.0.0.1:${port}/erp`,
    async stop() {
      process.off('exit', kill);
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}

/** Executes statements, separated by semicolons, in the database of an address. */
export async function executeIn(url: string, statements: string): Promise<void> {
  const client = await createConnection({ uri: url, multipleStatements: true });
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

async function ready(child: ChildProcess): Promise<void> {
  if (!child.stderr) throw new Error('The server has no error output.');
  const lines: string[] = [];
  for await (const line of createInterface(child.stderr)) {
    lines.push(line);
    if (!line.includes('ready for connections')) continue;
    child.stderr.resume();
    return;
  }
  throw new Error(`MariaDB did not start:\n${lines.slice(-20).join('\n')}`);
}
