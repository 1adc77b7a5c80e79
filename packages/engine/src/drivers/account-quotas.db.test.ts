import { platformOf, SystemError } from '@unified/connectors';
import { callSlots } from '@unified/store';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startHarness } from '../../test/harness.ts';
import { accountOf } from './account-of.ts';
import { type Priority, quotaFor } from './quotas.ts';
import { sharedQuotas } from './shared-quotas.ts';

const harness = await startHarness();
let accounts = 0;
const freshAccount = () => `account ${++accounts}`;

/** The quotas of a process. */
function processQuotas() {
  const quotas = sharedQuotas(harness.store);
  onTestFinished(() => quotas.close());
  return quotas;
}

/** Starts a call that lasts until it is ended. */
function call(quotas: ReturnType<typeof processQuotas>, account: string, priority: Priority) {
  const started = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const done = quotaFor(quotas, account).run(priority, () => {
    started.resolve();
    return ended.promise;
  });
  return { started: started.promise, end: () => ended.resolve(), done };
}

test('processes share the calls of an account: never more than four at the same time', async () => {
  const account = freshAccount();
  const processes = [processQuotas(), processQuotas(), processQuotas()];
  let [running, most, ran] = [0, 0, 0];
  const once = async () => {
    running += 1;
    most = Math.max(most, running);
    await Promise.all(processes.map((quotas) => quotas.usage(account)));
    running -= 1;
    ran += 1;
  };
  await Promise.all(
    Array.from({ length: 24 }, (_, index) => {
      const priority = (['write', 'read', 'sync'] as const)[index % 3] ?? 'sync';
      return quotaFor(processes[(index >> 1) % 3] ?? processQuotas(), account).run(priority, once);
    }),
  );
  expect(ran).toBe(24);
  expect(most).toBeLessThanOrEqual(4);
  expect(most).toBeGreaterThan(1);
  expect(await processes[0]?.usage(account)).toEqual({ callsAtOnce: 4, inProgress: 0 });
});

test('synchronizations of one process leave calls for writes and reads of another', async () => {
  const account = freshAccount();
  const [one, other] = [processQuotas(), processQuotas()];
  const syncs = Array.from({ length: 4 }, () => call(one, account, 'sync'));
  await Promise.all(syncs.slice(0, 2).map(({ started }) => started));
  const read = call(other, account, 'read');
  const write = call(other, account, 'write');
  await Promise.all([read.started, write.started]);
  expect(await other.usage(account)).toEqual({ callsAtOnce: 4, inProgress: 4 });
  for (const each of [...syncs, read, write]) each.end();
  await Promise.all([...syncs, read, write].map(({ done }) => done));
});

test('a pause that a system requests from one process applies to all, and to no other account', async () => {
  const [account, another] = [freshAccount(), freshAccount()];
  const [one, other] = [processQuotas(), processQuotas()];
  const throttled = quotaFor(one, account).run('sync', async () => {
    throw new SystemError('throttled', 'Slow down.', { retryAfter: 600 });
  });
  await expect(throttled).rejects.toThrow('Slow down.');
  const refused = quotaFor(other, account).run('write', async () => undefined);
  await expect(refused).rejects.toMatchObject({ kind: 'throttled', retryAfter: expect.any(Number) });
  // A shorter pause does not end it.
  await other.pause(account, { kind: 'unavailable', seconds: 1 });
  const pauses = await one.pausesOf([account, another]);
  const until = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(pauses).toEqual(new Map([[account, { kind: 'throttled', seconds: expect.any(Number), until }]]));
  expect(Math.abs(Date.parse(pauses.get(account)?.until ?? '') - Date.now() - 600_000)).toBeLessThan(60_000);
  expect((await other.pausesOf([account])).get(account)?.until).toBe(pauses.get(account)?.until);
  expect(await quotaFor(other, another).run('write', async () => 'called')).toBe('called');
  await other.resume(account);
  expect(await quotaFor(one, account).run('sync', async () => 'called')).toBe('called');
});

test('the calls of a process that is killed are free for others', async () => {
  const account = freshAccount();
  const killed = callSlots(harness.store);
  for (const slot of [0, 1, 2, 3]) expect(await killed.take(account, [slot])).not.toBeNull();
  const other = processQuotas();
  const waiting = call(other, account, 'write');
  const admin = new pg.Client(harness.databaseUrl);
  await admin.connect();
  const ended = `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'unified calls'
    and pid in (select pid from pg_locks where locktype = 'advisory')`;
  await admin.query(ended);
  await admin.end();
  await waiting.started;
  waiting.end();
  await waiting.done;
});

test('an account is one user of one system, whatever the password', () => {
  const url = { type: 'string', format: 'uri' };
  const platform = { ...{ id: 'p', options: {} }, settings: { properties: { url } } } as never;
  const of = (settings: Record<string, string>) => accountOf(platform, settings);
  const ann = of({ url: 'https://erp.example', user: 'ann', password: 'a' });
  expect(of({ url: 'https://erp.example:443/', user: 'ann', password: 'b' })).toBe(ann);
  expect(of({ url: 'https://erp.example', user: 'bob', password: 'a' })).not.toBe(ann);
  expect(of({ url: 'https://other.example', user: 'ann', password: 'a' })).not.toBe(ann);
  expect(of({ url: 'postgres://ann:a@db/erp' })).toBe(of({ url: 'postgres://ann:b@db/erp' }));
  expect(of({ url: 'postgres://ann:a@db/erp' })).not.toBe(of({ url: 'postgres://bob:a@db/erp' }));
  expect(of({ url: 'postgres://ann:a@db/erp?user=bob' })).toBe(of({ url: 'postgres://bob:a@db/erp' }));
});

test('a connection that signs in differently has another account, even if it names the user of another connection', () => {
  const platform = platformOf('s4hana');
  const of = (settings: Record<string, string>) => accountOf(platform, { url: 'https://erp.example', ...settings });
  const client = { tokenUrl: 'https://erp.example/token', clientId: 'app', clientSecret: 'a' };
  expect(of({ ...client, clientSecret: 'b' })).toBe(of(client));
  expect(of({ ...client, tokenUrl: 'https://other.example/token' })).not.toBe(of(client));
  expect(of({ ...client, user: 'ann' })).not.toBe(of({ user: 'ann', password: 'a' }));
  const keyed = (apiKey: string) =>
    accountOf(platformOf('erpnext'), { url: 'https://erp.example', apiKey, apiSecret: 'a' });
  expect(keyed('one')).not.toBe(keyed('other'));
});
