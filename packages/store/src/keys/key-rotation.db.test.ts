import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { entities } from '../../test/gadget.ts';
import { masterKeyOf } from '../access/store.ts';
import {
  addMasterKey,
  applicationSecret,
  clientBySecret,
  connectionSettings,
  createApplication,
  createClientSecret,
  createConnection,
  KeyRotationRefused,
  loadKey,
  openStore,
  resealSecrets,
  retireOtherMasterKeys,
  rotateDataKey,
  type SecretKey,
  type Store,
} from '../index.ts';
import { keyedHash, seal } from '../secrets/secret-key.ts';
import { keyRing } from './key-ring.ts';
import { sealedColumns } from './sealed-columns.ts';

// Starts processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const { store, admin, url } = await testDatabase();
const master = masterKeyOf(store);
const settings = { password: 'hunter2' };

/** A process with its own store, and the key of the test database by default. */
async function another(key: SecretKey = master): Promise<Store> {
  const opened = await openStore({ databaseUrl: url, publicUrl: 'https://api.test', entities, key });
  onTestFinished(() => opened.close());
  return opened;
}

/** An application with a connection and a secret. */
async function installation(name: string) {
  const { id: applicationId } = await createApplication(store, name);
  const { id } = await createConnection(store, { applicationId, platform: 'test', name, settings });
  const secret = (await applicationSecret(store, applicationId)) ?? expect.fail('There is no secret.');
  /** Fails unless a process can use both. */
  const expectUsable = async (by: Store) => {
    expect(await connectionSettings(by, id)).toEqual(settings);
    expect(await clientBySecret(by, applicationId, secret)).toMatchObject({ clientId: applicationId, applicationId });
    expect(await clientBySecret(by, applicationId, `${secret}x`)).toBe(null);
  };
  return { applicationId, connectionId: id, secret, expectUsable };
}

/** Encrypted texts of the installation, by location. */
async function texts(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const { table, column, row } of sealedColumns) {
    const { rows } = await admin.query<{ row: string; text: string }>(
      `select ${row} as row, "${column}" as text from unified."${table}" where "${column}" <> ''`,
    );
    for (const each of rows) found.set(`${table} ${column} ${each.row}`, each.text);
  }
  return found;
}

const keyIds = async () => new Set([...(await texts()).values()].map((text) => text.split('.')[1]));

test('secrets that an earlier release encrypted with the master key are used, and encrypted with a data key', async () => {
  const { applicationId, connectionId, secret, expectUsable } = await installation('Older');
  await admin.query('update unified.connections set settings = $2 where id = $1', [
    connectionId,
    seal(master, { table: 'connections', column: 'settings', row: connectionId }, JSON.stringify(settings)),
  ]);
  const { rows } = await admin.query('select id from unified.client_secrets where "clientId" = $1', [applicationId]);
  await admin.query('update unified.client_secrets set secret = $2, lookup = $3 where id = $1', [
    rows[0].id,
    seal(master, { table: 'client_secrets', column: 'secret', row: rows[0].id }, secret),
    keyedHash(master, 'client secrets', secret),
  ]);
  await expectUsable(store);
  expect(await keyIds()).toContain(master.id);
  expect(await resealSecrets(store)).toEqual({ resealed: 2, unreadable: 0 });
  expect(await keyIds()).toEqual(new Set([(await keyRing(store)).newest.id]));
  await expectUsable(store);
});

test('the first data key is created once by several processes', async () => {
  const stores = await Promise.all(Array.from({ length: 4 }, () => another()));
  await admin.query('delete from unified.data_keys');
  const rings = await Promise.all(stores.map((each) => keyRing(each)));
  expect(new Set(rings.map(({ newest }) => newest.id)).size).toBe(1);
  // The secrets of the other tests are lost with their key.
  await admin.query('delete from unified.connections where settings <> $1', ['']);
  await admin.query('delete from unified.client_secrets');
});

test('a process with another master key is refused', async () => {
  await keyRing(store);
  const other = await another(await loadKey('ab'.repeat(32), ''));
  await expect(createApplication(other, 'Other')).rejects.toThrow(`need the master key ${master.id}; the one given is`);
});

test('the master key is rotated without changing any row, while both keys work', async () => {
  const { expectUsable } = await installation('Rotating');
  const before = await texts();
  const next = await another(await loadKey('cd'.repeat(32), ''));
  expect(await addMasterKey(store, masterKeyOf(next))).toBe(1);
  await expectUsable(store);
  await expectUsable(next);
  expect(await texts()).toEqual(before);
  const made = await installation('Made meanwhile');
  await made.expectUsable(next);

  await expect(rotateDataKey(store)).rejects.toThrow('Finish that first');
  await expect(retireOtherMasterKeys(store)).rejects.toThrow('is an earlier one');
  expect(await retireOtherMasterKeys(next)).toBe(1);
  await expectUsable(next);
  await expect(expectUsable(store)).rejects.toThrow('the one given is');

  await addMasterKey(next, master);
  await retireOtherMasterKeys(store);
  await expectUsable(store);
});

test('a rotation of the master key does not finish if secrets would become unreadable', async () => {
  const { connectionId } = await installation('Stranded');
  const lost = await loadKey('12'.repeat(32), '');
  await admin.query('update unified.connections set settings = $2 where id = $1', [
    connectionId,
    seal(lost, { table: 'connections', column: 'settings', row: connectionId }, JSON.stringify(settings)),
  ]);
  const next = await another(await loadKey('cd'.repeat(32), ''));
  await addMasterKey(store, masterKeyOf(next));
  const refused = retireOtherMasterKeys(next);
  await expect(refused).rejects.toThrow(KeyRotationRefused);
  await expect(refused).rejects.toThrow(`1 secrets are encrypted with the key ${lost.id}`);
  await keyRing(store);
  await admin.query('delete from unified.connections where id = $1', [connectionId]);
  await addMasterKey(next, master);
  expect(await retireOtherMasterKeys(store)).toBe(1);
});

test('the data key is rotated while other processes read, compare and store secrets', async () => {
  const { applicationId, expectUsable } = await installation('Serving');
  const serving = await another();
  const before = (await keyRing(store)).newest.id;
  const rotation = { isOver: false };
  const made: string[] = [];
  const served = (async () => {
    do {
      await expectUsable(serving);
      const created = await createClientSecret(serving.application(applicationId), { clientId: applicationId });
      made.push(created?.secret ?? '');
    } while (!rotation.isOver);
  })();
  for (let round = 0; round < 5; round += 1) await rotateDataKey(store);
  rotation.isOver = true;
  await served;
  await resealSecrets(store);
  expect(await keyIds()).toEqual(new Set([(await keyRing(serving)).newest.id]));
  expect(await keyIds()).not.toContain(before);
  await expectUsable(store);
  for (const secret of made) expect(await clientBySecret(store, applicationId, secret)).not.toBe(null);
});

test('a secret that cannot be decrypted is counted, and the others are encrypted again', async () => {
  const [one, other] = [await installation('Moved'), await installation('Kept')];
  await admin.query(
    `update unified.connections c set settings = (select settings from unified.connections where id = $2) where id = $1`,
    [one.connectionId, other.connectionId],
  );
  expect(await rotateDataKey(store)).toMatchObject({ unreadable: 1, isContinued: false });
  await other.expectUsable(store);
  await admin.query('delete from unified.connections where id = $1', [one.connectionId]);
});

test('a data key that nothing uses is removed a day after its replacement', async () => {
  await rotateDataKey(store);
  const ids = async () => new Set((await admin.query('select id from unified.data_keys')).rows.map(({ id }) => id));
  const { newest } = await keyRing(store);
  expect((await ids()).size).toBeGreaterThan(1);
  await admin.query(`update unified.data_keys set "createdAt" = "createdAt" - interval '25 hours'`);
  await resealSecrets(store);
  expect(await ids()).toEqual(new Set([newest.id]));
});

test('unused data keys are removed while no master key is being added', async () => {
  const unused = (await keyRing(store)).newest.id;
  await rotateDataKey(store);
  const { newest } = await keyRing(store);
  await admin.query(`update unified.data_keys set "createdAt" = "createdAt" - interval '25 hours'`);
  await admin.query('begin');
  await admin.query(`select pg_advisory_xact_lock(hashtextextended('unified data keys', 0))`);
  await admin.query(
    `insert into unified.data_keys (id, "masterId", wrapped, "createdAt")
     select id, 'added', wrapped, "createdAt" from unified.data_keys where id = $1`,
    [unused],
  );
  const removal = resealSecrets(store);
  const waiting = async () =>
    (await admin.query(`select from pg_locks where not granted and locktype = 'advisory'`)).rowCount;
  await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
  await admin.query('commit');
  await removal;
  expect((await admin.query('select id from unified.data_keys')).rows).toEqual([{ id: newest.id }]);
});

test('a rotation that was killed is completed by the next one', async () => {
  const { applicationId, expectUsable } = await installation('Killed');
  const scope = store.application(applicationId);
  for (let n = 0; n < 250; n += 1) await createClientSecret(scope, { clientId: applicationId });
  const [last] = (await admin.query('select id from unified.client_secrets order by id desc limit 1')).rows;
  const { newest: before } = await keyRing(store);
  const main = fileURLToPath(new URL('../../test/rotate-main.ts', import.meta.url));
  // The lock makes the process wait in its third batch.
  await admin.query('begin');
  await admin.query('select from unified.client_secrets where id = $1 for update', [last.id]);
  const child = fork(main, [], {
    env: { ...process.env, DATABASE_URL: url, MASTER_KEY: master.bytes.toString('hex') },
  });
  const waiting = async () =>
    (await admin.query(`select from pg_locks where not granted and locktype = 'transactionid'`)).rowCount;
  await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
  await admin.query('commit');

  const { newest } = await keyRing(store);
  expect(await keyIds()).toEqual(new Set([before.id, newest.id]));
  await expectUsable(store);
  expect(await rotateDataKey(store)).toMatchObject({ isContinued: true, unreadable: 0 });
  expect(await keyIds()).toEqual(new Set([newest.id]));
  await expectUsable(store);
});
