import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import {
  createApplication,
  createConnection,
  deleteConnection,
  keptTokens,
  rotateDataKey,
  withoutWorkers,
} from '../index.ts';

const { store, open, admin } = await testDatabase();
let names = 0;

async function freshConnection() {
  names += 1;
  const { id: applicationId } = await createApplication(store, `Application ${names}`);
  const { id: connectionId } = await createConnection(store, {
    ...{ applicationId, platform: 'test', name: 'Test', settings: { refreshToken: 'first' } },
  });
  return { applicationId, connectionId };
}

const rowsOf = async (connectionId: string | null) => {
  const { rows } = await admin.query<{ token: string }>(
    'select token from unified.kept_tokens where "connectionId" is not distinct from $1',
    [connectionId],
  );
  return rows;
};

test('a token is stored, encrypted, before it is returned, for every process', async () => {
  const { applicationId, connectionId } = await freshConnection();
  const tokens = keptTokens(store, { applicationId, connectionId });
  expect(await tokens.renew('grant', async (kept) => `after ${kept}`)).toBe('after null');
  const [row] = await rowsOf(connectionId);
  expect(row?.token).toMatch(/^v1\./);
  const other = keptTokens(await open(), { applicationId });
  expect(await other.renew('grant', async (kept) => `after ${kept}`)).toBe('after after null');
  await rotateDataKey(store);
  expect(await tokens.renew('grant', async (kept) => String(kept))).toBe('after after null');
});

test('processes renew a token one after the other, also the first time', async () => {
  const { applicationId } = await freshConnection();
  const stores = await Promise.all([open(), open(), open()]);
  let running = 0;
  const renewed = await Promise.all(
    stores.map((each) =>
      keptTokens(each, { applicationId }).renew('grant', async (kept) => {
        running += 1;
        await admin.query('select 1');
        expect(running).toBe(1);
        running -= 1;
        return `${kept ?? ''}+`;
      }),
    ),
  );
  expect(renewed.sort()).toEqual(['+', '++', '+++']);
});

test('a renewal that fails, or whose process ends, changes nothing and does not block others', async () => {
  const { applicationId, connectionId } = await freshConnection();
  const tokens = keptTokens(store, { applicationId, connectionId });
  await tokens.renew('grant', async () => 'first');
  const refused = tokens.renew('grant', () => Promise.reject(new Error('Refused')));
  await expect(refused).rejects.toThrow('Refused');
  const killed = tokens.renew('grant', async () => {
    await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'unified tokens'`,
    );
    return 'lost';
  });
  await expect(killed).rejects.toThrow();
  expect(await tokens.renew('grant', async (kept) => String(kept))).toBe('first');
});

test('applications do not share tokens, even if the same credentials were entered', async () => {
  const [one, other] = [await freshConnection(), await freshConnection()];
  await keptTokens(store, one).renew('grant', async () => 'one');
  expect(await keptTokens(store, other).renew('grant', async (kept) => String(kept))).toBe('null');
});

test('tokens are removed with the connection, and a month after they were last renewed', async () => {
  const { applicationId, connectionId } = await freshConnection();
  const tokens = keptTokens(store, { applicationId, connectionId });
  const isMonthAgo = (grant: string) =>
    admin.query(`update unified.kept_tokens set "renewedAt" = now() - interval '31 days' where "grant" = $1`, [grant]);
  await keptTokens(store, { applicationId }).renew('checked', async () => 'checked');
  await tokens.renew('entered first', async () => 'a');
  await tokens.renew('entered then', async () => 'b');
  expect(await rowsOf(connectionId)).toHaveLength(2);
  await isMonthAgo('entered first');
  await isMonthAgo('checked');
  await tokens.renew('entered then', async () => 'c');
  expect(await rowsOf(connectionId)).toHaveLength(1);
  expect((await admin.query(`select 1 from unified.kept_tokens where "grant" = 'checked'`)).rows).toEqual([]);
  const scope = { applicationId, connectionId };
  await withoutWorkers(store, { connectionId, waitMs: 60_000 }, () => deleteConnection(store, scope));
  expect(await rowsOf(connectionId)).toHaveLength(0);
});

test('a process with earlier credentials leaves the tokens of new ones in place', async () => {
  const { applicationId, connectionId } = await freshConnection();
  const tokens = keptTokens(store, { applicationId, connectionId });
  await tokens.renew('entered then', async () => 'new');
  await tokens.renew('entered first', async () => 'old');
  expect(await tokens.renew('entered then', async (kept) => String(kept))).toBe('new');
});

test('authorization servers that do not respond hold four database connections of an application', async () => {
  const [slow, other] = [await freshConnection(), await freshConnection()];
  const responding = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  let held = 0;
  const renewed = Array.from({ length: 10 }, (_, number) =>
    keptTokens(store, slow).renew(`grant ${number}`, async () => {
      held += 1;
      if (held === 4) holding.resolve();
      await responding.promise;
      return 'token';
    }),
  );
  await holding.promise;
  await keptTokens(store, other).renew('grant', async () => 'token');
  await keptTokens(store, { applicationId: slow.applicationId }).renew('checked', async () => 'token');
  expect(held).toBe(4);
  responding.resolve();
  await Promise.all(renewed);
  expect(held).toBe(10);
});
