import pg from 'pg';
import { expect, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { entities, fieldOf, gadget, maker } from '../../test/gadget.ts';
import {
  createApplication,
  createConnection,
  deleteConnection,
  loadKey,
  migrate,
  openStore,
  page,
  saveRecords,
} from '../index.ts';
import { sessionOf } from '../scope.ts';

const { store, open, admin, freshScope, url, adminUrl } = await testDatabase();

const made = async () => {
  const { rows } = await admin.query(`
    select c.oid, c.relname, a.attname, format_type(a.atttypid, a.atttypmod) as type from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace in ('data'::regnamespace, 'unified'::regnamespace) and a.attnum > 0 order by 2, 3`);
  return rows;
};

test('migrating again changes nothing, and makes nothing anew', async () => {
  const before = await made();
  await migrate(store);
  expect(await made()).toEqual(before);
});

test('a field, an index and an entity that the contract gains are added; what is there stays', async () => {
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
  expect(JSON.parse(listed.docs).id).toBe(ids[0]);
  // The stored document lacks the new field: saved again it has it, whatever else stayed the same.
  await saveRecords(next.scope(scope), grown, [
    { _source: 's', _idValue: '1', values: { name: 'kept' }, references: {} },
  ]);
  expect((await page(next.scope(scope), grown, { conditions: [], sort: [], limit: 9 })).docs).toContain('"owner":null');
});

test('lists of references that were stored before there were links are found by them', async () => {
  const scope = freshScope();
  const { ids } = await saveRecords(scope, maker, [{ _source: 'm', _idValue: '1', values: {}, references: {} }]);
  const owners = [{ entity: 'Maker', by: '_idValue', value: '1' } as const];
  await saveRecords(scope, gadget, [{ _source: 'g', _idValue: '1', values: {}, references: { owners } }]);
  await admin.query(`drop table unified.links, unified.contents, unified.loose_contents, unified.content_chunks,
      unified.row_problems;
    alter table unified.unresolved_references drop column owner, drop column field;
    update unified.settings set value = '1' where name = 'migrations'`);
  await admin.query(`delete from unified.settings where name = 'schema'`);
  await migrate(store);
  const conditions = [{ field: fieldOf(gadget, 'owners'), operator: 'eq', value: ids[0] ?? '' } as const];
  expect((await page(scope, gadget, { conditions, sort: [], limit: 9 })).count).toBe(1);
});

test('a column whose type would change is refused, with the migration to write', async () => {
  const fields = gadget.fields.map((field) => (field.name === 'count' ? { ...field, kind: 'text' as const } : field));
  const changed = await open({ entities: { ...entities, Gadget: { ...gadget, fields } } });
  await expect(migrate(changed)).rejects.toThrow('alter table data."gadgets" alter column "count" type text');
});

test('several processes may migrate at once', async () => {
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

test('a tenant cannot write rows of another connection', async () => {
  const [one, other] = [freshScope(), freshScope()];
  const stray = sessionOf(one).run('insert into unified.lanes (connection_id) values ($1)', [other.connectionId]);
  await expect(stray).rejects.toThrow('row-level security');
});

test('what belongs to all connections is closed to tenants', async () => {
  for (const table of ['connections', 'connection_tokens', 'applications', 'settings']) {
    await expect(sessionOf(freshScope()).run(`select from unified.${table}`)).rejects.toThrow('permission denied');
  }
});

test('a user who may not make the role is told what to run, and can go on once it was run', async () => {
  await admin.query(`create role plain login password 'plain'`);
  const database = new URL(url);
  await admin.query('create database plain owner plain');
  Object.assign(database, { username: 'plain', password: 'plain', pathname: '/plain' });
  const key = await loadKey('ab'.repeat(32), '');
  const opening = () => openStore({ databaseUrl: database.href, publicUrl: 'http://x', entities, key });
  await expect(opening()).rejects.toThrow('GRANT unified_tenant TO plain;');
  await admin.query('grant unified_tenant to plain');
  const opened = await opening();
  await migrate(opened);
  const { id: applicationId } = await createApplication(opened, 'Plain');
  const connection = await createConnection(opened, { applicationId, platform: 'p', name: 'Plain', settings: {} });
  const scope = opened.scope({ applicationId, connectionId: connection.id });
  await saveRecords(scope, gadget, [{ _source: 's', _idValue: '1', values: {}, references: {} }]);
  const count = async () => (await page(scope, gadget, { conditions: [], sort: [], limit: 9 })).count;
  expect(await count()).toBe(1);
  // Row-level security binds the owner of these tables too.
  expect(await deleteConnection(opened, scope)).toBe(true);
  expect(await count()).toBe(0);
  await opened.close();
});

test('a database that cannot be reached is told as such', async () => {
  const opening = openStore({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none', publicUrl: 'http://x', entities });
  await expect(opening).rejects.toThrow('ECONNREFUSED');
});

test('a schema of our name that another program made is left alone', async () => {
  const strange = await databaseNamed('strange', 'create schema unified; create table unified.settings (id int)');
  const other = await openStore({ databaseUrl: strange, publicUrl: 'https://api.test', entities });
  await expect(migrate(other)).rejects.toThrow('belongs to another program');
  await other.close();
});

test('a user who may not make the tables is told what to run', async () => {
  await databaseNamed(
    'guarded',
    'create role guest login; grant unified_tenant to guest; alter role guest password $$x$$',
  );
  const guest = new URL(url);
  guest.username = 'guest';
  guest.password = 'x';
  guest.pathname = '/guarded';
  const other = await openStore({ databaseUrl: guest.href, publicUrl: 'https://api.test', entities });
  await expect(migrate(other)).rejects.toThrow('GRANT CREATE ON DATABASE guarded TO guest;');
  await other.close();
});

/** Makes a database and runs SQL in it; gives its URL. */
async function databaseNamed(name: string, sql: string): Promise<string> {
  await admin.query(`create database ${name}`);
  const client = new pg.Client(adminUrl(name));
  await client.connect();
  await client.query(sql);
  await client.end();
  return adminUrl(name);
}
