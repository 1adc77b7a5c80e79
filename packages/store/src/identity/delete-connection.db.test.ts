import { expect, test, vi } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { gadget, maker } from '../../test/gadget.ts';
import {
  addDataMapping,
  audited,
  connectionById,
  connectionLocks,
  createApplication,
  createConnection,
  deleteConnection,
  enqueueWrite,
  issueAuthorizationCode,
  issueConnectionToken,
  lockConnection,
  markConnectionDeleted,
  redeemAuthorizationCode,
  registerClient,
  replacePairs,
  type Scope,
  saveRawRows,
  saveRecords,
  saveSyncState,
  storeContent,
  withoutWorkers,
} from '../index.ts';

const { store, admin } = await testDatabase();
const application = await createApplication(store, 'Acme');

async function* bytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

const write = (scope: Scope) =>
  enqueueWrite(scope, {
    ...{ operation: 'createGadget', entity: 'Gadget', op: 'create', body: {} },
    idempotency: { key: 'k', fingerprint: 'f' },
  });

/** A connection with data in every part of the database. */
async function filled(name: string): Promise<Scope> {
  const { id: connectionId, applicationId } = await createConnection(store, {
    ...{ applicationId: application.id, platform: 'p', name, settings: {} },
  });
  await issueConnectionToken(store, { connectionId });
  const scope = store.scope({ applicationId, connectionId });
  await saveRawRows(scope, 's', [{ key: '1', row: {} }], { id: '0199d2a4-0000-7000-8000-000000000001' });
  const owners = [{ entity: 'Maker', by: '_idValue', value: '1' } as const];
  const missing = [{ entity: 'Maker', by: '_idValue', value: 'none' } as const];
  await saveRecords(scope, maker, [{ _source: 'm', _idValue: '1', values: {}, references: {} }]);
  await saveRecords(scope, gadget, [
    { _source: 'g', _idValue: '1', values: {}, references: { owners } },
    { _source: 'g', _idValue: '2', values: {}, references: { owners: missing } },
  ]);
  await saveSyncState(scope, 's', { nextRunAt: 'now' });
  await storeContent(scope, bytes(name));
  await write(scope);
  const mapping = await addDataMapping(scope, { entity: 'Gadget', cardinality: 'one_to_one' });
  const pair = { serviceId: connectionId, externalValue: 'E-1' };
  await replacePairs(scope, { mappingId: mapping?.id ?? '' }, [pair]);
  return scope;
}

/** Number of rows of a connection, by table; only tables that have some. */
async function rowsOf({ connectionId }: Scope): Promise<Record<string, number>> {
  const { rows: tables } = await admin.query(
    `select table_schema || '.' || quote_ident(table_name) as name from information_schema.columns
      join information_schema.tables using (table_schema, table_name)
      where column_name = 'connection_id' and table_schema in ('unified', 'data') and table_type = 'BASE TABLE'`,
  );
  const counts: Record<string, number> = {};
  for (const { name } of tables) {
    const { rows } = await admin.query(`select count(*)::int as n from ${name} where connection_id = $1`, [
      connectionId,
    ]);
    if (rows[0].n > 0) counts[name] = rows[0].n;
  }
  return counts;
}

test('a deleted connection leaves no row in any table, and those of another one stay', async () => {
  const [one, other] = [await filled('one'), await filled('other')];
  const before = await rowsOf(other);
  expect(Object.keys(await rowsOf(one)).length).toBeGreaterThan(10);
  expect(await deleteConnection(store, one)).toBe(true);
  expect(await rowsOf(one)).toEqual({});
  expect(await rowsOf(other)).toEqual(before);
  const { rows } = await admin.query('select from unified.connection_tokens where "connectionId" = $1', [
    one.connectionId,
  ]);
  expect(rows).toEqual([]);
  expect(await connectionById(store, one.connectionId)).toBeNull();
  expect(await deleteConnection(store, one)).toBe(false);
});

test('a connection of another application is not deleted', async () => {
  const scope = await filled('foreign');
  const before = await rowsOf(scope);
  const { id: applicationId } = await createApplication(store, 'Stranger');
  expect(await deleteConnection(store, { applicationId, connectionId: scope.connectionId })).toBe(false);
  expect(await rowsOf(scope)).toEqual(before);
});

test('rows that a request or a worker adds after the removal are refused', async () => {
  const scope = await filled('late');
  await deleteConnection(store, scope);
  const removed = { code: 'SERVICE_CONNECTION_INACTIVE' };
  await expect(write(scope)).rejects.toMatchObject(removed);
  await expect(storeContent(scope, bytes('late'))).rejects.toMatchObject(removed);
  await expect(saveSyncState(scope, 's', { nextRunAt: 'now' })).rejects.toMatchObject(removed);
  const record = { _source: 'm', _idValue: '1', values: {}, references: {} };
  await expect(saveRecords(scope, maker, [record])).rejects.toMatchObject(removed);
  expect(await rowsOf(scope)).toEqual({});
});

test('writes that are being queued while their connection is deleted leave nothing', async () => {
  const scope = await filled('busy');
  const queued = Array.from({ length: 20 }, (_, n) =>
    enqueueWrite(scope, { operation: 'createGadget', entity: 'Gadget', op: 'create', body: { n } }),
  );
  await Promise.all([Promise.allSettled(queued), deleteConnection(store, scope)]);
  expect(await rowsOf(scope)).toEqual({});
});

test('the lock of a connection that is being removed cannot be acquired, and the removal waits for its holder', async () => {
  const locks = connectionLocks(store);
  const { connectionId } = await filled('locked');
  const lock = await locks.take('writes', connectionId);
  const remove = (waitMs: number) =>
    withoutWorkers(store, { connectionId, waitMs }, () => locks.take('sync', connectionId));
  await expect(remove(50)).rejects.toThrow('A worker is still working for the connection.');
  const waiting = remove(60_000);
  await lock?.release();
  expect(await waiting).toBeNull();
  expect(await locks.take('sync', connectionId)).not.toBeNull();
  await locks.close();
});

test('a connection is deleted while a code for it is redeemed', async () => {
  const { connectionId } = await filled('redeemed');
  const email = 'redeemed@northwind.example';
  const { id: clientId } = await registerClient(store.application(application.id), { name: 'Redeeming', email });
  const redirectUri = 'https://portal.northwind.example/callback';
  const code = await issueAuthorizationCode(store, { clientId, connectionId, redirectUri, pending: '{}' });
  const origin = { actorType: 'operator', actor: 'test', operation: 'test', requestId: null, address: null } as const;
  const isWaiting = async () => {
    const { rows } = await admin.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query ~ 'unified\\.(connections|authorization_codes)'`,
    );
    expect(rows).toHaveLength(1);
  };
  const redeeming = Promise.withResolvers<unknown>();
  await audited(store, origin, async (within, record) => {
    await lockConnection(within, connectionId);
    redeemAuthorizationCode(store, { clientId, code, redirectUri }, 'connection', async (inner) => {
      await lockConnection(inner, connectionId);
      return connectionId;
    }).then(redeeming.resolve, redeeming.reject);
    await vi.waitFor(isWaiting, { timeout: 20_000 });
    await markConnectionDeleted(within, connectionId);
    await record(application.id, { action: 'connection.delete', target: connectionId });
  });
  expect(await redeeming.promise).toEqual({ refused: 'unknown' });
});
