import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { v7 as newId } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { entities, fieldOf, gadget, maker } from '../../test/gadget.ts';
import { sessionOf } from '../access/scope.ts';
import { internalsOf } from '../access/store.ts';
import {
  applicationSecret,
  clientBySecret,
  connectionById,
  connectionSettings,
  createApplication,
  createConnection,
  deleteConnection,
  dueConnections,
  listConnections,
  loadKey,
  migrate,
  openStore,
  page,
  saveRecords,
} from '../index.ts';
import { seal } from '../secrets/secret-key.ts';
import { deriveTable } from '../tables/derive-table.ts';
import { applyTables } from './apply-tables.ts';
import { migrations } from './migrations/index.ts';

const { store, open, admin, freshScope, url, adminUrl } = await testDatabase();

const made = async () => {
  const { rows } = await admin.query(`
    select c.oid, c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace in ('data'::regnamespace, 'unified'::regnamespace) and a.attnum > 0 order by 2, 3`);
  return rows;
};

test('migrating again changes nothing and creates nothing again', async () => {
  const before = await made();
  await migrate(store);
  expect(await made()).toEqual(before);
});

test('new fields, indexes and entities of the contract are added; existing data is kept', async () => {
  const scope = freshScope();
  const { ids } = await saveRecords(scope, maker, [
    { _source: 's', _idValue: '1', values: { name: 'kept' }, references: {} },
  ]);
  const added = {
    name: 'owner',
    kind: 'relation',
    nullable: true,
    required: false,
    writable: true,
    targets: ['Gadget'],
  } as const;
  const fields = [...maker.fields, added];
  const grown = { ...maker, fields, field: { ...maker.field, owner: added } };
  const next = await open({
    entities: { ...entities, Maker: grown, Widget: { ...maker, name: 'Widget', table: 'widgets' } },
  });
  await migrate(next);
  const names = (await made()).map(({ relname, attname }) => `${relname}.${attname}`);
  expect(names).toEqual(expect.arrayContaining(['makers.owner', 'makers_owner.owner', 'widgets.code']));
  const listed = await page(next.scope(scope), grown, { conditions: [], sort: [], limit: 9 });
  expect(JSON.parse(listed.docs[0] ?? '').id).toBe(ids[0]);
  // The stored document lacks the new field; saving the record again adds it, even if nothing else changed.
  await saveRecords(next.scope(scope), grown, [
    { _source: 's', _idValue: '1', values: { name: 'kept' }, references: {} },
  ]);
  expect((await page(next.scope(scope), grown, { conditions: [], sort: [], limit: 9 })).docs[0]).toContain(
    '"owner":null',
  );
});

test('lists of references that were stored before there were links are found by them', async () => {
  const older = await migratedUpTo(1);
  const owner = randomUUID();
  await older.run(
    `insert into data.gadgets (connection_id, id, code, _source, "_idValue", "_displayValue", "_updatedAt", "_createdAt", owners, doc, version)
     values ($1, gen_random_uuid(), 'g', 's', 'g', 'g', now(), now(), array[$2::uuid], '{}', 1)`,
    [older.scope.connectionId, owner],
  );
  await migrate(older.store);
  const conditions = [{ field: fieldOf(gadget, 'owners'), operator: 'eq', value: owner } as const];
  expect((await page(older.scope, gadget, { conditions, sort: [], limit: 9 })).count).toBe(1);
});

test('connections that shared a name before names had to be unique get a number', async () => {
  const older = await migratedUpTo(4);
  const { applicationId } = older.scope;
  for (const name of ['ERP', 'ERP (2)', 'ERP', 'ERP', 'Other']) {
    await older.run(
      `insert into unified.connections (id, "applicationId", platform, name, settings, status)
       values ($1, $2, 'test', $3, '', 'active')`,
      [newId(), applicationId, name],
    );
  }
  await migrate(older.store);
  const names = (await listConnections(older.store, applicationId)).map(({ name }) => name);
  expect(names.filter((name) => name !== 'Older')).toEqual(['ERP', 'ERP (2)', 'ERP (3)', 'ERP (4)', 'Other']);
});

test('a schedule that was stored in the encrypted settings is moved out of them', async () => {
  const older = await migratedUpTo(5);
  const { connectionId } = older.scope;
  const settings = { url: 'x', sync: { everyMinutes: 2.5, fullEveryHours: 1000 } };
  await older.run('update unified.connections set settings = $2 where id = $1', [
    connectionId,
    seal(older.key, { table: 'connections', column: 'settings', row: connectionId }, JSON.stringify(settings)),
  ]);
  await older.run(
    `insert into unified.sync_streams (connection_id, stream, "nextRunAt") values ($1, 's', '2999-01-01')`,
    [connectionId],
  );
  await migrate(older.store);
  expect(await connectionSettings(older.store, connectionId)).toEqual({ url: 'x' });
  const schedule = { syncEveryMinutes: 2.5, fullSyncEveryHours: 744 };
  expect(await connectionById(older.store, connectionId)).toMatchObject(schedule);
  expect(await dueConnections(older.store, 9)).toEqual([]);
});

test('settings encrypted with another key do not prevent a migration; the default schedule applies to them', async () => {
  const older = await migratedUpTo(5);
  const { connectionId } = older.scope;
  const sealed = 'v1.00000000.AA.AA.AA';
  await older.run('update unified.connections set settings = $2 where id = $1', [connectionId, sealed]);
  await migrate(older.store);
  expect(await connectionById(older.store, connectionId)).toMatchObject({ syncEveryMinutes: 15 });
  expect(await dueConnections(older.store, 9)).toMatchObject([{ id: connectionId }]);
});

test('the client secret of an application from before applications had clients stays valid', async () => {
  const older = await migratedUpTo(10);
  const { applicationId } = older.scope;
  await migrate(older.store);
  expect(await applicationSecret(older.store, applicationId)).toBe(OLDER_SECRET);
  expect(await clientBySecret(older.store, applicationId, OLDER_SECRET)).toMatchObject({
    clientId: applicationId,
    applicationId,
  });
});

test('a column whose type would change is refused, with the migration to write', async () => {
  const fields = gadget.fields.map((field) => (field.name === 'count' ? { ...field, kind: 'text' as const } : field));
  const changed = await open({ entities: { ...entities, Gadget: { ...gadget, fields } } });
  await expect(migrate(changed)).rejects.toThrow('alter table data."gadgets" alter column "count" type text');
});

test('several processes may migrate concurrently', async () => {
  const database = new URL(url);
  await admin.query('create database crowd owner unified_owner');
  database.pathname = '/crowd';
  const stores = await Promise.all(
    Array.from({ length: 4 }, () => openStore({ databaseUrl: database.href, publicUrl: 'http://x', entities })),
  );
  await Promise.all(stores.map((each) => migrate(each)));
  for (const each of stores) await each.close();
});

test('a tenant sees its own rows only, and none without a connection', async () => {
  const [one, other] = [freshScope(), freshScope()];
  const record = { _source: 's', _idValue: '1', values: {}, references: {} };
  await saveRecords(one, gadget, [record]);
  const all = 'select connection_id from data.gadgets union all select connection_id from unified.changes';
  expect(await sessionOf(one).run(all)).toEqual([
    { connection_id: one.connectionId },
    { connection_id: one.connectionId },
  ]);
  expect(await sessionOf(other).run(all)).toEqual([]);
  await admin.query('set role unified_tenant');
  expect((await admin.query(all)).rows).toEqual([]);
  await admin.query('reset role');
});

test('policies of an earlier release, which parsed the id for each row, are replaced, except those of a table in use', async () => {
  const conditions = async () => {
    const { rows } = await admin.query<{ qual: string }>(
      `select distinct qual from pg_policies where policyname = 'tenant'`,
    );
    return rows.map(({ qual }) => qual);
  };
  const migrateAgain = async () => {
    await admin.query(`delete from unified.settings where name = 'schema'`);
    await migrate(store);
  };
  const current = await conditions();
  const earlier = `connection_id = nullif((select current_setting('app.connection_id', true)), '')::uuid`;
  for (const table of ['data.gadgets', 'unified.changes'])
    await admin.query(`alter policy tenant on ${table} using (${earlier})`);
  const reader = new pg.Client(adminUrl('unified'));
  await reader.connect();
  await reader.query('begin; select from data.gadgets');
  await migrateAgain();
  expect(await conditions()).toHaveLength(2);
  await reader.end();
  await migrateAgain();
  expect(await conditions()).toEqual(current);
  expect(current).toHaveLength(1);
});

test('a tenant cannot write rows of another connection', async () => {
  const [one, other] = [freshScope(), freshScope()];
  const stray = sessionOf(one).run('insert into unified.write_queues (connection_id) values ($1)', [
    other.connectionId,
  ]);
  await expect(stray).rejects.toThrow('row-level security');
});

test('tenants cannot access the data of all connections', async () => {
  for (const table of ['connections', 'connection_tokens', 'applications', 'settings']) {
    await expect(sessionOf(freshScope()).run(`select from unified.${table}`)).rejects.toThrow('permission denied');
  }
});

test('a user who may not create the role gets the SQL to run, and can continue once it has been run', async () => {
  await admin.query(`create role plain login password 'plain'`);
  const database = new URL(url);
  await admin.query('create database plain owner plain');
  Object.assign(database, { username: 'plain', password: 'plain', pathname: '/plain' });
  const key = await loadKey('ab'.repeat(32), '');
  const opening = () => openStore({ databaseUrl: database.href, publicUrl: 'http://x', entities, key });
  await expect(opening()).rejects.toThrow('GRANT unified_tenant TO plain;');
  await admin.query('grant unified_tenant, unified_query to plain');
  const opened = await opening();
  await migrate(opened);
  const { id: applicationId } = await createApplication(opened, 'Plain');
  const connection = await createConnection(opened, { applicationId, platform: 'p', name: 'Plain', settings: {} });
  const scope = opened.scope({ applicationId, connectionId: connection.id });
  await saveRecords(scope, gadget, [{ _source: 's', _idValue: '1', values: {}, references: {} }]);
  const count = async () => (await page(scope, gadget, { conditions: [], sort: [], limit: 9 })).count;
  expect(await count()).toBe(1);
  // Row-level security applies to the owner of these tables as well.
  expect(await deleteConnection(opened, scope)).toBe(true);
  expect(await count()).toBe(0);
  await opened.close();
});

test('a database that cannot be reached is reported', async () => {
  const opening = openStore({ databaseUrl: 'postgres://api@127.0.0.1:1/none', publicUrl: 'http://x', entities });
  await expect(opening).rejects.toThrow('ECONNREFUSED');
});

test('a schema with the same name that another program created is not changed', async () => {
  const strange = await databaseNamed('strange', 'create schema unified; create table unified.settings (id int)');
  const other = await openStore({ databaseUrl: strange, publicUrl: 'https://api.test', entities });
  await expect(migrate(other)).rejects.toThrow('belongs to another program');
  await other.close();
});

test('a user who may not create the tables gets the SQL to run', async () => {
  await databaseNamed(
    'guarded',
    'create role guest login; grant unified_tenant, unified_query to guest; alter role guest password $$x$$',
  );
  const guest = new URL(url);
  guest.username = 'guest';
  guest.password = 'x';
  guest.pathname = '/guarded';
  const other = await openStore({ databaseUrl: guest.href, publicUrl: 'https://api.test', entities });
  await expect(migrate(other)).rejects.toThrow('GRANT CREATE ON DATABASE guarded TO guest;');
  await other.close();
});

/** Creates a database and runs SQL in it; returns its URL. */
async function databaseNamed(name: string, sql: string): Promise<string> {
  await admin.query(`create database ${name}`);
  const client = new pg.Client(adminUrl(name));
  await client.connect();
  await client.query(sql);
  await client.end();
  return adminUrl(name);
}

const OLDER_SECRET = `scs_${'o'.repeat(43)}`;

/** A database as a release with fewer migrations left it, with one connection. */
async function migratedUpTo(count: number) {
  const name = `older_${randomUUID().slice(0, 8)}`;
  const database = new URL(url);
  await admin.query(`create database ${name} owner unified_owner`);
  database.pathname = name;
  const key = await loadKey('ab'.repeat(32), '');
  const older = await openStore({ databaseUrl: database.href, publicUrl: 'http://x', entities, key });
  const { owner } = internalsOf(older);
  const client = await owner.connect();
  for (const { sql } of migrations.slice(0, count)) await client.query(sql);
  await client.query(`insert into unified.settings (name, value) values ('migrations', $1)`, [count]);
  await applyTables(client, [deriveTable(gadget), deriveTable(maker)]);
  // Row-level security is tested elsewhere: here rows are stored as an earlier release did.
  await client.query('alter table data.gadgets no force row level security');
  client.release();
  const applicationId = newId();
  await owner.query('insert into unified.applications (id, name, secret) values ($1, $2, $3)', [
    applicationId,
    'Older',
    seal(key, { table: 'applications', column: 'secret', row: applicationId }, OLDER_SECRET),
  ]);
  const connectionId = randomUUID();
  await owner.query(
    `insert into unified.connections (id, "applicationId", platform, name, settings, status)
     values ($1, $2, 'test', 'Older', '', 'active')`,
    [connectionId, applicationId],
  );
  onTestFinished(() => older.close());
  const run = async (sql: string, values: unknown[]) => void (await owner.query(sql, values));
  return { store: older, key, run, scope: older.scope({ applicationId, connectionId }) };
}
