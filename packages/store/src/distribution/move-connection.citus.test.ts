import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { filled, hashWithout, keysOf, nodeOf, otherNode, quiet, storedOf } from '../../test/moves.ts';
import { moveConnection } from './move-connection.ts';
import { MOVING } from './move-lock.ts';

const database = await testDatabase();
const { store, admin, adminUrl } = database;

test('a connection that is not known to the cluster, an unknown worker and a second move are refused', async () => {
  const scope = await filled(database);
  const { connectionId } = scope;
  await expect(moveConnection(store, { ...quiet, connectionId, to: 'nowhere:1' })).rejects.toMatchObject({
    message: 'The cluster has no worker "nowhere:1".',
    remedy: expect.stringContaining(await nodeOf(store, scope)),
  });
  await admin.query('select pg_advisory_lock($1)', [MOVING]);
  const second = moveConnection(store, { ...quiet, connectionId, to: await otherNode(store, scope) });
  await expect(second).rejects.toThrow('Another move is under way.');
  await admin.query('select pg_advisory_unlock($1)', [MOVING]);
  const there = await nodeOf(store, scope);
  expect(await moveConnection(store, { ...quiet, connectionId, to: there })).toMatchObject({
    isMoved: false,
    to: there,
  });
});

test('writes can be blocked instead of replicated', async () => {
  const scope = await filled(database);
  const url = adminUrl('unified');
  const [before, to] = [await hashWithout(url, scope), await otherNode(store, scope)];
  const moved = await moveConnection(store, { ...quiet, connectionId: scope.connectionId, to, blockWrites: true });
  expect(moved).toMatchObject({ isMoved: true, to, leftovers: [], pause: { refused: 0 } });
  expect(await nodeOf(store, scope)).toBe(to);
  expect((await storedOf(url, scope)).keys).toEqual(keysOf('kept', 50).toSorted());
  expect(await hashWithout(url, scope)).toEqual(before);
});
