import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { connectionLocks, createConnection, workloadOf } from '../index.ts';

const { store, freshScope } = await testDatabase();

test('a connection that is being synchronized does not wait for a worker', async () => {
  const { applicationId } = freshScope();
  const connected = () =>
    createConnection(store, { applicationId, platform: 'test', name: randomUUID(), settings: {} });
  const [first] = [await connected(), await connected()];
  expect(await workloadOf(store)).toMatchObject({ dueSyncs: 2 });
  const locks = connectionLocks(store);
  const lock = await locks.take('sync', first.id);
  await locks.take('writes', first.id);
  expect(await workloadOf(store)).toMatchObject({ dueSyncs: 1 });
  await lock?.release();
  expect(await workloadOf(store)).toMatchObject({ dueSyncs: 2 });
  await locks.close();
});
