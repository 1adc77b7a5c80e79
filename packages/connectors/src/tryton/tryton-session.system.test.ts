import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { Connection, type RunningTryton, startTryton } from '../../test/running-tryton.ts';

let tryton: RunningTryton;

beforeAll(async () => {
  tryton = await startTryton();
}, 300_000);

afterAll(async () => {
  await tryton?.stop();
});

test('valid settings are accepted', async () => {
  const { driver } = new Connection(tryton);
  await driver.check();
  await driver.close();
});

test('a wrong password is refused and not retried, so that Tryton does not lock the user out', async () => {
  const { driver } = new Connection(tryton, { password: 'wrong' });
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await expect(driver.check()).rejects.toMatchObject({
      kind: 'unauthorized',
      words: 'Tryton refuses the user name or password',
    });
  }
  await driver.close();
  await new Connection(tryton).driver.check();
});

test('a database that does not exist is refused', async () => {
  // On PostgreSQL, 8.2 does not respond for half a minute.
  const isSilent = tryton.series === '8.2' && tryton.storage === 'postgres';
  const elsewhere = new Connection(tryton, { database: 'nowhere', timeoutSeconds: isSilent ? 2 : 30 });
  await expect(elsewhere.driver.check()).rejects.toMatchObject({ kind: isSilent ? 'unavailable' : 'rejected' });
});

test('an expired session of Tryton is renewed silently', async () => {
  const password = 'Umbrella-79-quiz';
  const id = await tryton.rpc.createOne('res.user', { name: 'Clerk', login: 'clerk', password });
  const clerk = new Connection({ ...tryton, user: 'clerk', password });
  const currency = () => clerk.driver.read(clerk.stream('currency.currency'), '1');
  const before = await currency();
  // Setting a password ends all sessions of the user.
  await tryton.rpc.write('res.user', id, { password });
  expect(await currency()).toEqual(before);
  await clerk.driver.close();
});

test('a user without rights is rejected with the message from Tryton', async () => {
  await tryton.rpc.createOne('res.user', { name: 'Guest', login: 'guest', password: 'a-Long-Guest-Word-7' });
  const guest = new Connection({ ...tryton, user: 'guest', password: 'a-Long-Guest-Word-7' });
  await guest.driver.check();
  const pulling = guest.pullAll('purchase.purchase');
  await expect(pulling).rejects.toMatchObject({
    kind: 'rejected',
    words: expect.stringContaining('not allowed to access'),
  });
  await guest.driver.close();
});

test('a stopped server is unavailable, and is used again after it restarts', async () => {
  const { url, stop } = await startTryton();
  const connection = new Connection({ ...tryton, url });
  await connection.driver.check();
  await stop();
  await expect(connection.create('Vendor', { name: 'x' })).rejects.toMatchObject({ kind: 'unavailable' });
  await connection.driver.close();
});

test('a private address is not called unless the settings allow it', async () => {
  vi.stubEnv('ALLOW_PRIVATE_HOSTS', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { driver } = new Connection(tryton, { allowPrivateHosts: false });
  await expect(driver.check()).rejects.toMatchObject({
    kind: 'unavailable',
    words: expect.stringContaining('not a public address'),
  });
});
