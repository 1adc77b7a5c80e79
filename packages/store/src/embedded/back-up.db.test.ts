import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, test, vi } from 'vitest';
import { backUp } from './back-up.ts';
import { restoreBackup } from './restore-backup.ts';
import { type Embedded, startEmbedded } from './start-embedded.ts';

// Starts databases, which can be slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const folder = await mkdtemp(join(tmpdir(), 'unified-backup-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

async function ask<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Makes transfers between accounts until `stop`, which returns their number. Each transaction keeps the sum of the accounts.
 */
function transfers(url: string) {
  let isStopped = false;
  let done = 0;
  const work = async () => {
    const client = new pg.Client(url);
    await client.connect();
    while (!isStopped) {
      await client.query(
        `with n as (insert into transfers default values returning id)
         update accounts set balance = balance + case when id = (select id from n) % 100 then -1 else 1 end
          where id in ((select id from n) % 100, ((select id from n) + 1) % 100)`,
      );
      done += 1;
    }
    await client.end();
  };
  const working = work();
  const stop = () => {
    isStopped = true;
    return working;
  };
  return { done: () => done, stop };
}

const PREPARE = `
  create table transfers (id serial primary key, note text default repeat('x', 500));
  create table accounts (id int primary key, balance bigint not null, filler text default repeat('y', 2000));
  insert into accounts select n, 1000 from generate_series(0, 99) n`;

let server: Embedded;

test('a backup taken during writes is restored to one consistent state', async () => {
  server = await startEmbedded({ dataDir: at('first') });
  await ask(server.url, PREPARE);
  const writing = transfers(server.url);
  await expect.poll(writing.done).toBeGreaterThan(50);
  const before = writing.done();
  const progress: (readonly [number, number])[] = [];
  await backUp({ dataDir: at('first'), target: at('backup'), onProgress: (...now) => progress.push(now) });
  const after = writing.done();
  await writing.stop();
  await server.stop();
  const [copied, total] = progress.at(-1) ?? [];
  expect(copied).toBe(total);

  await restoreBackup({ from: at('backup'), dataDir: at('second') });
  const restored = await startEmbedded({ dataDir: at('second') });
  const [found] = await ask<{ sum: string; first: number; last: number; count: number }>(
    restored.url,
    `select (select sum(balance) from accounts) as sum, min(id) as first, max(id) as last, count(*)::int from transfers`,
  );
  expect(found?.sum).toBe('100000');
  expect([found?.first, found?.last]).toEqual([1, found?.count]);
  expect(found?.count).toBeGreaterThanOrEqual(before);
  expect(found?.count).toBeLessThanOrEqual(after + 1);
  await ask(restored.url, 'insert into transfers default values');
  await restored.stop();
});

test('a backup is readable only by its owner, and contains no key', async () => {
  expect((await stat(at('backup'))).mode & 0o777).toBe(0o700);
  expect((await readdir(at('backup'))).sort()).toEqual(['backup.json', 'postgres', 'postgres.json']);
});

test('neither a backup nor a database is overwritten', async () => {
  server = await startEmbedded({ dataDir: at('first') });
  await expect(backUp({ dataDir: at('first'), target: at('backup') })).rejects.toThrow('backup exists');
  await server.stop();
  await expect(restoreBackup({ from: at('backup'), dataDir: at('first') })).rejects.toThrow('postgres.json exists');
});

test('an incomplete backup and another release of PostgreSQL are refused', async () => {
  await mkdir(at('part/postgres'), { recursive: true });
  await expect(restoreBackup({ from: at('part'), dataDir: at('third') })).rejects.toThrow('not a complete backup');
  await writeFile(at('part/backup.json'), '{}');
  await writeFile(at('part/postgres/PG_VERSION'), '17\n');
  await expect(restoreBackup({ from: at('part'), dataDir: at('third') })).rejects.toThrow('created by PostgreSQL 17');
});
