import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { type JoinOptions, joinInstallation, publicAddressOf } from '../index.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const { url: databaseUrl, open, admin } = await testDatabase();

const fromPort = (port: number, serves = true) => ({ url: `http://localhost:${port}`, isSet: false, serves });
const set = (url: string) => ({ url, isSet: true, serves: true });

const fail = (error: Error) => {
  throw error;
};

/** Does what a process of the installation does at startup, but only the part that determines its address. */
async function start(wanted: JoinOptions['wanted'], onMoved: (error: Error) => void = fail) {
  const membership = await joinInstallation({ databaseUrl, wanted, onError: () => {}, onMoved });
  let runs = true;
  const stop = async () => {
    if (runs) await membership.close();
    runs = false;
  };
  onTestFinished(stop);
  const store = await open({ publicUrl: membership.address.url });
  await membership.settle(store);
  return { url: membership.address.url, stop };
}

const stored = async () => (await publicAddressOf(databaseUrl))?.url;

test('the links of a server that runs alone use its port, until PUBLIC_URL is set', async () => {
  for (const port of [4567, 4000]) {
    const { url, stop } = await start(fromPort(port));
    expect(url).toBe(`http://localhost:${port}`);
    expect(await stored()).toBe(url);
    await stop();
  }
  await (await start(set('https://api.example.com'))).stop();
  const later = await start(fromPort(4000));
  expect(later.url).toBe('https://api.example.com');
  await later.stop();
  await (await start(set('http://localhost:4000'))).stop();
  expect(await stored()).toBe('http://localhost:4000');
});

test('a worker does not change the links to a port that it does not serve', async () => {
  await (await start(set('http://localhost:4567'))).stop();
  expect((await start(fromPort(4000, false))).url).toBe('http://localhost:4567');
});

test('a second process with another port does not change the links', async () => {
  await admin.query('delete from unified.settings where name like $1', ['publicUrl%']);
  await start(fromPort(4567));
  expect((await start(fromPort(4000))).url).toBe('http://localhost:4567');
  expect(await stored()).toBe('http://localhost:4567');
});

test('a process whose PUBLIC_URL differs from that of running ones is refused with both URLs', async () => {
  const first = await start(set('https://one.example'));
  const second = await start(set('https://one.example'));
  await first.stop();
  await expect(start(set('https://two.example'))).rejects.toThrow(
    /is https:\/\/one\.example, and other processes .*PUBLIC_URL=https:\/\/two\.example/,
  );
  expect(await stored()).toBe('https://one.example');
  await second.stop();
  expect((await start(set('https://two.example'))).url).toBe('https://two.example');
});

test('if processes with different addresses start together, one of them determines the address', async () => {
  const urls = ['https://a.example', 'https://b.example', 'https://c.example'];
  const started = await Promise.allSettled(urls.map((url) => start(set(url))));
  expect(started.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await stored()).toBe(urls[started.findIndex(({ status }) => status === 'fulfilled')]);
});

test('a killed process no longer counts as running', async () => {
  const child = await startProcess('https://killed.example');
  await expect(start(set('https://next.example'))).rejects.toThrow('other processes');
  child.kill('SIGKILL');
  await once(child, 'exit');
  // PostgreSQL notices this with a short delay.
  await expect.poll(members).toBe(0);
  expect((await start(set('https://next.example'))).url).toBe('https://next.example');
});

test('a process that was cut off from the database counts as running again', async () => {
  await start(set('https://here.example'));
  await cutOff();
  await expect.poll(members).toBe(1);
  await expect(start(set('https://there.example'))).rejects.toThrow('other processes');
});

test('a process whose address was changed while it was cut off is notified', async () => {
  const moved = Promise.withResolvers<Error>();
  await start(set('https://old.example'), moved.resolve);
  await admin.query(`update unified.settings set value = '"https://new.example"' where name = 'publicUrl'`);
  await cutOff();
  expect((await moved.promise).message).toContain('from https://old.example to https://new.example');
});

/** Number of processes that PostgreSQL considers running. */
async function members(): Promise<number> {
  const { rows } = await admin.query(
    `select count(distinct l.pid)::int as n from pg_locks l join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and a.application_name = 'unified process'`,
  );
  return rows[0].n;
}

async function cutOff(): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where application_name = 'unified process'`,
  );
}

async function startProcess(url: string): Promise<ChildProcess> {
  const main = fileURLToPath(new URL('../../test/member-main.ts', import.meta.url));
  const child = fork(main, [], { env: { ...process.env, DATABASE_URL: databaseUrl, PUBLIC_URL: url } });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'message');
  return child;
}
