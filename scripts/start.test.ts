import { execFile, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { startEmbedded } from '@unified/store';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { readConfiguration } from './start/configuration.ts';
import { type Ended, runHere } from './test/run-here.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const START = fileURLToPath(new URL('start.mjs', import.meta.url));
/** A folder for this run: another user may have left one with the same name and a key that only that user may read. */
const dataDir = await mkdtemp(join(tmpdir(), 'unified-start-'));
afterAll(() => rm(dataDir, { recursive: true }));

/** The output of `npm start` when it ends, and its exit code. */
function start(env: Record<string, string>): Promise<{ code: unknown; stderr: string }> {
  const environment = { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, [START], { env: environment }, (error, _stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stderr }),
    );
  });
}

class Exit extends Error {
  readonly code: number;

  constructor(code: unknown) {
    super(`exits with ${code}`);
    this.code = Number(code);
  }
}

/** Reads the lines that a process prints up to the first one that contains a text. */
async function untilPrinted(output: Readable, part: string): Promise<void> {
  for await (const [line] of on(createInterface(output), 'line', { close: ['close'] })) if (line.includes(part)) return;
  throw new Error(`the process did not print "${part}"`);
}

/** Reads these settings as `npm start` does, in this process, because a new process takes a second. */
function readSettings(env: Record<string, string>, args: readonly string[] = []): Promise<Ended> {
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Exit(code);
  });
  onTestFinished(() => exit.mockRestore());
  const read = async () => {
    try {
      readConfiguration(args, env);
      return 0;
    } catch (error) {
      if (error instanceof Exit) return error.code;
      throw error;
    }
  };
  return runHere(read, [], {});
}

it('a setting that cannot be used ends the process', async () => {
  const { code, stderr } = await start({ PORT: 'http' });
  expect([code, stderr.trim().split('\n').length]).toEqual([2, 1]);
  expect(stderr).toContain('PORT must be a number');
});

it.each([
  [{ PORT: 'http' }, 'PORT must be a number'],
  [{ OPERATOR_PORT: 'metrics' }, 'OPERATOR_PORT must be a number'],
  [{ PUBLIC_URL: 'api.example.com' }, 'PUBLIC_URL begins with http:// or https://'],
  [{ DATABASE_URL: 'unified' }, 'DATABASE_URL has the form postgres://'],
  [{ DATABASE_URL: 'mysql://user:secret@localhost/x' }, 'DATABASE_URL has the form postgres://'],
  [{ DATABASE_LOST_AFTER: '5m' }, 'DATABASE_LOST_AFTER is a number of seconds, not "5m"'],
  [{ UNIFIED_KEY: 'secret' }, 'UNIFIED_KEY is 32 bytes as base64 or hex'],
  [{ SANDBOX: 'false' }, 'SANDBOX is on or off, not "false"'],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY is on or off, not "yes"'],
  [{ OPENID_ISSUER: 'http://login.example.com', OPENID_CLIENT_ID: 'c' }, 'OPENID_ISSUER begins with https://'],
  [{ OPENID_ISSUER: 'https://login.example.com' }, 'OPENID_ISSUER needs OPENID_CLIENT_ID'],
  [
    { OPENID_ISSUER: 'https://login.microsoftonline.com/common/v2.0', OPENID_CLIENT_ID: 'c', OPENID_TRUST_EMAIL: 'on' },
    'OPENID_TRUST_EMAIL needs the issuer of your own tenant',
  ],
  [{ DATABASE_REPLICA_URLS: 'mysql://user:secret@localhost/x' }, 'DATABASE_REPLICA_URLS has the form postgres://'],
  [{ DATABASE_REPLICA_URLS: 'postgres://user:secret@localhost/x' }, 'DATABASE_REPLICA_URLS needs DATABASE_URL'],
  [{ REPLICA_MAX_LAG_SECONDS: '0' }, 'REPLICA_MAX_LAG_SECONDS is a number of seconds'],
  [{ REQUESTS_PER_MINUTE: '600' }, 'REQUESTS_PER_MINUTE has the form data=600,management=120,mcp=300,token=60'],
  [{ REQUESTS_PER_MINUTE: 'data=0' }, 'not "data=0"'],
  [{ REQUESTS_PER_MINUTE: 'data=600,dta=1' }, 'not "data=600,dta=1"'],
  [{ REQUESTS_PER_MINUTE: 'data=600,data=700' }, 'not "data=600,data=700"'],
  [{ ALLOW_PRIVATE_HOSTS: 'erp.intranet, *.intranet' }, 'It contains "*.intranet"'],
  [{ ALLOW_PRIVATE_HOSTS: '10.1.0.0/sixteen' }, 'It contains "10.1.0.0/sixteen"'],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is error, warn, info, debug, not "loud"'],
])('%j is refused with one line that states what to set', async (env, line) => {
  const { code, stderr } = await readSettings(env);
  expect(code).toBe(2);
  expect(stderr).toContain(line);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect(stderr).not.toContain('secret');
});

it.each([
  [['--rol', 'api'], 'There is no option --rol. Did you mean --role?'],
  [['--rolle=api'], 'There is no option --rolle. Did you mean --role?'],
  [['--role'], '--role needs a value.'],
  [['--role', 'apis'], '--role is api, worker or all, not "apis".'],
  [['worker'], '"worker" is not an option.'],
])('the options %j are refused with the one that was meant', async (args, line) => {
  const { code, stderr } = await readSettings({}, args);
  expect([code, stderr.split('\n')[0]]).toEqual([2, line]);
});

it('a port that is in use is reported before a database is created', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const folder = join(dataDir, 'busy');
  const { code, stderr } = await start({ PORT: String(port), DATA_DIR: folder });
  expect(code).toBe(1);
  expect(stderr).toContain(`✗ Another program already uses port ${port} of 127.0.0.1.`);
  expect(stderr).toContain(`PORT=${port + 1} npm start`);
  expect(existsSync(folder)).toBe(false);
});

it('a database that does not respond is reported without a stack trace', async () => {
  const { code, stderr } = await start({ DATABASE_URL: 'postgres://user:secret@127.0.0.1:1/unified' });
  expect(code).toBe(1);
  expect(stderr).toContain('ECONNREFUSED');
  expect(stderr).toContain('Check DATABASE_URL');
  expect(stderr).not.toMatch(/^\s+at |secret/m);
});

it('a command that does not print the master key is reported, without its output', async () => {
  const { code, stderr } = await start({
    MASTER_KEY_COMMAND: '/bin/echo a-secret-that-is-no-key',
    UNIFIED_KEY: 'none',
  });
  expect(code).toBe(1);
  expect(stderr).toContain('must be 32 bytes in base64 or hex');
  expect(stderr).toContain('Check MASTER_KEY_COMMAND');
  expect(stderr).not.toMatch(/^\s+at |secret/m);
});

it('a process whose database is lost for longer than DATABASE_LOST_AFTER exits with a message', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unified-lost-'));
  const database = await startEmbedded({ dataDir: join(folder, 'database') });
  const env = {
    ...{ PATH: process.env.PATH, PORT: '0', DATA_DIR: join(folder, 'server'), SANDBOX: 'off' },
    ...{ DATABASE_URL: database.url, DATABASE_LOST_AFTER: '2', LOG_LEVEL: 'info' },
  };
  const server = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = text(server.stderr);
  await untilPrinted(server.stdout, 'worker started');
  const ended = once(server, 'exit');
  await database.stop();
  expect(await ended).toEqual([1, null]);
  expect(await output).toContain('✗ The database could not be reached for 2 seconds');
  await rm(folder, { recursive: true });
});
