import { mkdtemp, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { startProcess } from '../../test/embedded-process.ts';
import { startEmbedded } from './start-embedded.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const dataDir = await mkdtemp(join(tmpdir(), 'unified-embedded-'));
afterAll(() => rm(dataDir, { recursive: true, force: true }));

async function ask(url: string, sql: string) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterId(): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0]);
}

/** Starts the server from a process that is killed before it can stop it. */
async function startAndDie(): Promise<string> {
  const other = await startProcess(dataDir);
  await other.kill();
  await other.reap();
  return other.url;
}

test('keeps its data, port and password across a restart, and sorts the same on every machine', async () => {
  const first = await startEmbedded({ dataDir });
  expect(first.reused).toBe(false);
  await ask(first.url, 'create table kept as select 1 as n');
  const [settings] = await ask(
    first.url,
    `select current_setting('server_encoding') as encoding, current_setting('fsync') as fsync, lower('Ä') as lower,
            array(select * from unnest(array['b', 'A', 'a', 'B']) x order by 1) as sorted,
            current_setting('listen_addresses') as addresses, current_setting('synchronous_commit') as commit`,
  );
  expect(settings).toEqual({
    ...{
      encoding: 'UTF8',
      fsync: 'on',
      lower: 'ä',
      sorted: ['A', 'B', 'a', 'b'],
      addresses: '127.0.0.1',
      commit: 'on',
    },
  });
  await first.stop();
  await expect(ask(first.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  const second = await startEmbedded({ dataDir });
  expect(second.url).toBe(first.url);
  expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
  expect((await stat(join(dataDir, 'postgres.json'))).mode & 0o777).toBe(0o600);
  await second.stop();
});

test('the server of a killed process is taken over', async () => {
  const url = await startAndDie();
  const logged: string[] = [];
  const server = await startEmbedded({ dataDir, log: (line) => logged.push(line) });
  expect(server).toMatchObject({ url, reused: true });
  expect(logged.join()).toContain('using the PostgreSQL');
  expect(logged.join()).not.toContain(new URL(url).password);
  expect(await ask(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
  await server.stop();
  await expect(ask(url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});

test('the remains of a dead server are cleared, even if another program now has its process id', async () => {
  const url = await startAndDie();
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const [pid, ...rest] = (await readFile(file, 'utf8')).split('\n');
  process.kill(Number(pid), 'SIGKILL');
  for (let gone = false; !gone; )
    gone = await ask(url, 'select 1').then(
      () => false,
      () => true,
    );
  await writeFile(file, [String(process.ppid), ...rest].join('\n'));
  const server = await startEmbedded({ dataDir });
  expect(server.reused).toBe(false);
  expect(await ask(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
  await server.stop();
});

test('a killed server is restarted each time, at the address that its clients use', async () => {
  const logged: string[] = [];
  const server = await startEmbedded({ dataDir, log: (line) => logged.push(line) });
  const startedAt = async () => (await ask(server.url, 'select pg_postmaster_start_time()::text as at'))[0]?.at;
  for (let times = 1; times <= 2; times += 1) {
    const before = await startedAt();
    process.kill(await postmasterId(), 'SIGKILL');
    await expect.poll(() => startedAt().catch(() => before), { timeout: 120_000 }).not.toBe(before);
  }
  expect(await ask(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
  expect(new Set(logged)).toEqual(new Set(['PostgreSQL has ended: restarting it', 'PostgreSQL is running again']));
  await server.stop();
  await expect(ask(server.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
});

test('a server that cannot be restarted is reported once, and started when the cause is removed', async () => {
  const logged: string[] = [];
  const server = await startEmbedded({ dataDir, log: (line) => logged.push(line) });
  const control = join(dataDir, 'postgres', 'global', 'pg_control');
  await rename(control, `${control}.away`);
  process.kill(await postmasterId(), 'SIGKILL');
  await expect.poll(() => logged.at(-1), { timeout: 120_000 }).toMatch('cannot be restarted yet');
  expect(logged.at(-1)).toContain('could not find the database system');
  await rename(`${control}.away`, control);
  await expect.poll(() => logged.at(-1), { timeout: 120_000 }).toBe('PostgreSQL is running again');
  expect(await ask(server.url, 'select n from kept')).toEqual([{ n: 1 }]);
  await server.stop();
  expect(logged).toHaveLength(3);
});

test('stopping while the server cannot be restarted is not an error', async () => {
  const logged: string[] = [];
  const server = await startEmbedded({ dataDir, log: (line) => logged.push(line) });
  const control = join(dataDir, 'postgres', 'global', 'pg_control');
  await rename(control, `${control}.away`);
  process.kill(await postmasterId(), 'SIGKILL');
  await expect.poll(() => logged.at(-1), { timeout: 120_000 }).toMatch('cannot be restarted yet');
  await server.stop();
  await rename(`${control}.away`, control);
});

test('a server without free connections is not considered dead', async () => {
  const server = await startEmbedded({
    dataDir,
    settings: { max_connections: '4', superuser_reserved_connections: '0' },
  });
  const guests = Array.from({ length: 4 }, () => new pg.Client(server.url));
  for (const guest of guests) await guest.connect();
  const other = startEmbedded({ dataDir });
  const log = () => readFile(join(dataDir, 'postgres.log'), 'utf8');
  await expect.poll(log, { timeout: 60_000 }).toContain('too many clients');
  for (const guest of guests) await guest.end();
  expect(await other).toMatchObject({ url: server.url, reused: true });
  await server.stop();
  await (await other).stop();
});

test('two concurrent starts share one server', async () => {
  const [one, other] = await Promise.all([startEmbedded({ dataDir }), startEmbedded({ dataDir })]);
  expect(one.url).toBe(other.url);
  await one.stop();
  await other.stop();
});

test('more databases can be created, each only once', async () => {
  const server = await startEmbedded({ dataDir });
  const sandbox = await server.createDatabase('sandbox "quoted"');
  await ask(sandbox, 'create table company as select 2 as n');
  expect(await server.createDatabase('sandbox "quoted"')).toBe(sandbox);
  expect(await ask(sandbox, 'select n from company')).toEqual([{ n: 2 }]);
  await server.stop();
});

test('a data directory of another release is refused with a remedy', async () => {
  const file = join(dataDir, 'postgres', 'PG_VERSION');
  await writeFile(file, '17\n');
  await expect(startEmbedded({ dataDir })).rejects.toThrow('was created by PostgreSQL 17');
  await writeFile(file, '18\n');
});

test('a missing database, for example on a volume that is not mounted, is not replaced by an empty one', async () => {
  const cluster = join(dataDir, 'postgres');
  await rename(cluster, `${cluster}.away`);
  await expect(startEmbedded({ dataDir })).rejects.toThrow(
    `The database in ${await realpath(dataDir)}/postgres is missing`,
  );
  await rename(`${cluster}.away`, cluster);
});

test('a lost password is reported, not guessed', async () => {
  await rm(join(dataDir, 'postgres.json'));
  await expect(startEmbedded({ dataDir })).rejects.toThrow('with its password is missing');
});

test('without its password a database cannot be opened: the error names the file', async () => {
  const damaged = await mkdtemp(join(tmpdir(), 'unified-damaged-'));
  await writeFile(join(damaged, 'postgres.json'), '{');
  await expect(startEmbedded({ dataDir: damaged })).rejects.toThrow(`${join(damaged, 'postgres.json')} is damaged`);
  await rm(damaged, { recursive: true });
});
