// Does what a new user does: `npm start` in an empty data directory, the printed `curl` command, stop, and start again; then
// once more after a kill -9, and stopped through npm alone. Prints the seconds of each start; fails if a page of vendors is not
// returned.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from '../packages/store/src/embedded/free-port.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'front-door-'));
const port = await freePort();

try {
  await visit('first start', terminal('SIGTERM'));
  await visit('second start', terminal('SIGKILL'));
  await visit('start after kill -9', (npm) => process.kill(npm, 'SIGTERM'));
  console.log('The first start works.');
} finally {
  // npm ends before its child processes: PostgreSQL may still be writing its last files.
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Signals the whole process group, as a terminal does. */
function terminal(signal: NodeJS.Signals): (npm: number) => void {
  return (npm) => process.kill(-npm, signal);
}

/**
 * Starts, runs the printed `curl` command, checks the response, and stops the server with `stop`, which is called with
 * the process id of npm.
 */
async function visit(name: string, stop: (npm: number) => void): Promise<void> {
  const began = performance.now();
  const server = spawn('npm', ['start'], {
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  try {
    const curl = await printedCurl(server);
    const { stdout } = await promisify(execFile)('bash', ['-c', curl]);
    const { data } = JSON.parse(stdout) as { data: { name: string }[] };
    if (!data[0]?.name) throw new Error(`${name}: no vendors in ${stdout.slice(0, 300)}`);
    console.log(`${name}: first page of vendors after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    await checkSandboxFile();
  } finally {
    await end(server, stop);
  }
}

/** The `curl` command that the server prints; rejects if the server exits first. */
function printedCurl(server: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!server.stdout) return reject(new Error('no output'));
    createInterface(server.stdout).on('line', (line) => {
      if (line.trim().startsWith('curl ')) resolve(line.trim());
    });
    server.once('exit', (code) => reject(new Error(`npm start exited with code ${code} before it was ready`)));
  });
}

async function checkSandboxFile(): Promise<void> {
  const file = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8'));
  for (const key of ['apiRoot', 'clientId', 'clientSecret', 'connections']) {
    if (!(key in file)) throw new Error(`sandbox.json lacks ${key}`);
  }
}

/** Stops the server and waits for the end of all child processes of npm. */
async function end(server: ChildProcess, stop: (npm: number) => void): Promise<void> {
  if (server.exitCode !== null || server.pid === undefined) return;
  // npm ends before its child processes; its output is closed when the last of them has ended.
  const ended = new Promise((resolve) => server.once('close', resolve));
  stop(server.pid);
  await ended;
}
