import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { entities, maker } from '../../test/gadget.ts';
import { openStore, type Scope, saveRecords, type Watch, watchChanges } from '../index.ts';

const { freshScope, open, admin, url } = await testDatabase();

const LONG = { ms: 600_000 };

const change = (scope: Scope, name = 'a') =>
  saveRecords(scope, maker, [{ _source: 'makers', _idValue: '1', values: { name }, references: {} }]);

async function isOver(watch: Watch): Promise<boolean> {
  const over = await Promise.race([watch.noticed.then(() => true), new Promise((resolve) => setImmediate(resolve))]);
  return over === true;
}

test('a commit ends the waits for changes of its connection, and no others', async () => {
  const [changed, other] = [freshScope(), freshScope()];
  const elsewhere = await open();
  const watches = [await watchChanges(changed, LONG), await watchChanges(elsewhere.scope(changed), LONG)];
  const others = await watchChanges(other, LONG);
  await changed.transaction(async (inner) => {
    await change(inner);
    expect(await isOver(watches[0] as Watch)).toBe(false);
  });
  await Promise.all(watches.map(({ noticed }) => noticed));
  expect(await isOver(others)).toBe(false);
  others.stop();
});

test('a transaction that changes nothing ends no wait', async () => {
  const [scope, other] = [freshScope(), freshScope()];
  const first = await watchChanges(scope, LONG);
  await change(scope);
  await first.noticed;
  const watch = await watchChanges(scope, LONG);
  await change(scope);
  const later = await watchChanges(other, LONG);
  await change(other);
  await later.noticed;
  expect(await isOver(watch)).toBe(false);
  watch.stop();
});

test('a wait ends at its limit, when its signal aborts, and when the store closes', async () => {
  const store = await openStore({ databaseUrl: url, publicUrl: 'https://api.test', entities });
  const scope = store.scope(freshScope());
  await (await watchChanges(scope, { ms: 1 })).noticed;
  await (await watchChanges(scope, { ...LONG, signal: AbortSignal.abort() })).noticed;
  const leaving = new AbortController();
  const watch = await watchChanges(scope, { ...LONG, signal: leaving.signal });
  leaving.abort();
  await watch.noticed;
  const last = await watchChanges(scope, LONG);
  await store.close();
  await last.noticed;
});

test('all waits end when the connection of the listener breaks, and later ones are notified again', async () => {
  const scope = freshScope();
  const watch = await watchChanges(scope, LONG);
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'unified listener'`,
  );
  await watch.noticed;
  const next = await watchChanges(scope, LONG);
  await change(scope, 'b');
  await next.noticed;
});

test('a wait is refused while the database cannot be reached', async () => {
  const scope = (await open()).scope(freshScope());
  const role = pg.escapeIdentifier(new URL(url).username);
  await admin.query(`alter role ${role} nologin`);
  await expect(watchChanges(scope, LONG)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  await admin.query(`alter role ${role} login`);
  const watch = await vi.waitFor(() => watchChanges(scope, LONG), { timeout: 20_000 });
  await change(scope);
  await watch.noticed;
});
