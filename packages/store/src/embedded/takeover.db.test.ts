import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { type EmbeddedProcess, startProcess } from '../../test/embedded-process.ts';
import { type Embedded, startEmbedded } from './start-embedded.ts';

// Starts processes and databases, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const dataDir = await mkdtemp(join(tmpdir(), 'unified-takeover-'));
const ended: EmbeddedProcess[] = [];
afterAll(async () => {
  for (const each of ended) await each.reap();
  await rm(dataDir, { recursive: true, force: true });
});

/** Another process that uses the server. */
async function otherProcess(): Promise<EmbeddedProcess> {
  const process = await startProcess(dataDir);
  ended.push(process);
  return process;
}

/** Start time of the server, which changes with a restart. */
async function startedAt({ url }: Pick<Embedded, 'url'>): Promise<string> {
  const client = new pg.Client(url);
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query('select pg_postmaster_start_time()::text as at')).rows[0].at;
  } finally {
    await client.end();
  }
}

async function signalPostgres(signal: NodeJS.Signals): Promise<void> {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8');
  process.kill(Number(file.split('\n')[0]), signal);
}

/** Ends the server and waits until another one has taken its place. */
async function restarts(server: Embedded, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const before = await startedAt(server);
  await signalPostgres(signal);
  await expect.poll(() => startedAt(server).catch(() => before), { timeout: 120_000 }).not.toBe(before);
}

/** Stops the server, which must have no other users. */
async function stopLast(server: Embedded): Promise<void> {
  await server.stop();
  await expect(startedAt(server)).rejects.toThrow('ECONNREFUSED');
}

test('the old process is terminated while a new one starts: the new one keeps its server', async () => {
  const old = await otherProcess();
  const found = Promise.withResolvers<void>();
  const starting = startEmbedded({ dataDir, log: () => found.resolve() });
  await found.promise;
  await old.terminate();
  const server = await starting;
  await restarts(server);
  await stopLast(server);
});

test('the old process was killed and is a zombie: the new one monitors the server', async () => {
  const old = await otherProcess();
  await old.kill();
  const server = await startEmbedded({ dataDir });
  expect(server).toMatchObject({ url: old.url, reused: true });
  await restarts(server);
  await stopLast(server);
});

test('the process that started the server is terminated: the server keeps running for the other one', async () => {
  const first = await otherProcess();
  const server = await startEmbedded({ dataDir });
  const before = await startedAt(server);
  await first.terminate();
  expect(await startedAt(server)).toBe(before);
  await restarts(server);
  await stopLast(server);
});

test('the process that started the server is killed, then PostgreSQL is: the other process restarts it', async () => {
  const first = await otherProcess();
  const server = await startEmbedded({ dataDir });
  await first.kill();
  await restarts(server);
  await stopLast(server);
});

test('a server that another program stops is restarted for its users', async () => {
  const server = await startEmbedded({ dataDir });
  await restarts(server, 'SIGINT');
  await stopLast(server);
});

test('a process that stops leaves the server to the other one, whichever started it', async () => {
  const first = await otherProcess();
  const second = await startEmbedded({ dataDir });
  await second.stop();
  await startedAt(second);
  await first.terminate();
  await expect(startedAt(second)).rejects.toThrow('ECONNREFUSED');
});
