import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { type Scope, sessionOf } from '../access/scope.ts';
import { keepDistributed } from '../distribution/place-tables.ts';
import { changesAfter } from '../index.ts';
import { migrations } from '../schema/migrations/index.ts';
import { withConnection } from '../sql/own-connection.ts';
import { appendChanges, lockChangeCursor, moveChangeCursor } from './change-log.ts';

const { freshScope, admin, url } = await testDatabase();

/** A transaction of any release that logs a change. */
function log(scope: Scope): Promise<void> {
  return scope.transaction(async (inner) => {
    const last = await lockChangeCursor(inner);
    await appendChanges(inner, last, [{ entity: 'Maker', id: randomUUID(), kind: 'updated', fields: [] }]);
    await moveChangeCursor(sessionOf(inner), scope.connectionId, last + 1);
  });
}

/** As before the update. */
async function removeBounds(): Promise<void> {
  await admin.query('drop trigger keep_bounds on unified.change_cursors; drop function unified.keep_change_log_bounds');
  await admin.query('drop table unified.change_log_bounds');
}

/** Migrates, and distributes the new table. */
function update(): Promise<void> {
  const { sql } = migrations.find(({ name }) => name === 'bounds of change logs') ?? expect.fail();
  return withConnection(url, async (client) => {
    await client.query('begin');
    // As for all migrations.
    await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
    await client.query(sql);
    await client.query('commit');
    await keepDistributed(client);
  });
}

test('an update of a distributed database fills the bounds while changes are logged', async () => {
  await removeBounds();
  const scopes = Array.from({ length: 6 }, () => freshScope());
  for (const scope of scopes) await log(scope);
  let isUpdated = false;
  const logged = scopes.map(async (scope) => {
    let count = 1;
    for (; !isUpdated; count += 1) await log(scope);
    await log(scope);
    return count + 1;
  });
  await update().finally(() => {
    isUpdated = true;
  });
  const counts = await Promise.all(logged);
  const { rows } = await admin.query(
    `select citus_table_type as type from citus_tables where table_name = 'unified.change_log_bounds'::regclass`,
  );
  expect(rows).toEqual([{ type: 'distributed' }]);
  for (const [index, scope] of scopes.entries()) {
    const { changes, cursor } = await changesAfter(scope, null, 10_000);
    expect([changes.length, cursor]).toEqual([counts[index], String(counts[index])]);
  }
});
