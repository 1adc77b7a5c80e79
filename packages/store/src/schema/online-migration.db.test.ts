import type { Entity } from '@unified/contract';
import pg from 'pg';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { field, gadget } from '../../test/gadget.ts';
import { entities, motor, part, wheel } from '../../test/parts.ts';
import { joinInstallation, migrate, page, type Scope, saveRecords } from '../index.ts';

const { admin, adminUrl, freshScope, open, url } = await testDatabase();
const store = await open({ entities });
await migrate(store);
const scope = store.scope(freshScope());

const INDEX = 'gadgets_name';
const EVERYTHING = { conditions: [], sort: [], limit: 5 };

/** Rows that an index is built on. They belong to connections that no test reads. */
await admin.query(
  `insert into data.gadgets (connection_id, id, code, _source, "_idValue", "_displayValue", "_updatedAt", "_createdAt", name, doc, version)
   select gen_random_uuid(), gen_random_uuid(), n, 's', n, n, now(), now(), 'Gadget ' || n, '{}', 1
     from generate_series(1, 30000) n`,
);

beforeEach(async () => {
  await admin.query(`drop index if exists data.${INDEX}; delete from unified.settings where name = 'schema'`);
});

/** Whether the index is valid; undefined when there is none. */
async function indexState(): Promise<boolean | undefined> {
  const { rows } = await admin.query(`select indisvalid from pg_index where indexrelid = to_regclass('data.${INDEX}')`);
  return rows[0]?.indisvalid;
}

/** Keeps an index build from ending until it is released: the build waits for writers of the table. */
async function holdBuild(): Promise<{ letGo(): Promise<void> }> {
  const client = new pg.Client(adminUrl('unified'));
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('begin; lock table data.gadgets in row exclusive mode');
  return { letGo: async () => void (await client.query('commit')) };
}

let written = 0;

async function writeGadget(to: Scope): Promise<void> {
  const record = { _source: 's', _idValue: `${written++}`, values: { name: 'New' }, references: {} };
  await saveRecords(to, gadget, [record]);
}

test('records are written and read while an index of their table is built', async () => {
  const hold = await holdBuild();
  const migrating = migrate(store);
  await expect.poll(indexState).toBe(false);
  await writeGadget(scope);
  expect((await page(scope, gadget, EVERYTHING)).count).toBeGreaterThan(0);
  expect(await indexState()).toBe(false);
  await hold.letGo();
  await migrating;
  expect(await indexState()).toBe(true);
});

test('an interrupted index build is repeated by the next process', async () => {
  const hold = await holdBuild();
  const migrating = migrate(store);
  const failed = expect(migrating).rejects.toThrow();
  await expect.poll(indexState).toBe(false);
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where query like 'create index concurrently%' and pid <> pg_backend_pid()`,
  );
  await failed;
  await hold.letGo();
  expect(await indexState()).toBe(false);
  await migrate(store);
  expect(await indexState()).toBe(true);
});

test('of two processes that start together, one builds the index and the other waits for it', async () => {
  const hold = await holdBuild();
  const migrating = [migrate(store), migrate(await open({ entities }))];
  await expect.poll(indexState).toBe(false);
  const { rows } = await admin.query(
    `select wait_event_type from pg_stat_activity where query like 'create index concurrently%' and pid <> pg_backend_pid()`,
  );
  expect(rows).toHaveLength(1);
  await hold.letGo();
  await Promise.all(migrating);
  expect(await indexState()).toBe(true);
});

test('a process that waits to join the installation does not keep another one from building an index', async () => {
  const wanted = { url: 'https://api.test', isSet: true, serves: true };
  const options = { databaseUrl: url, wanted, onError: () => {}, onMoved: () => {} };
  const first = await joinInstallation(options);
  const joining = joinInstallation(options);
  await expect
    .poll(async () => {
      const { rows } = await admin.query(
        `select from pg_stat_activity where application_name = 'unified process' and query like '%advisory_lock%'`,
      );
      return rows.length;
    })
    .toBe(1);
  await migrate(store);
  expect(await indexState()).toBe(true);
  await first.settle(store);
  const second = await joining;
  await second.settle(store);
  await Promise.all([first.close(), second.close()]);
});

const views = { Wheel: wheel, Motor: motor, Part: part } as const;

/** The entities with one more field, in a view and in its tables. */
function grown(): Record<string, Entity> {
  const more = field('grade', 'text');
  const growing = Object.entries(views).map(([name, entity]) => {
    const fields = [...entity.fields, more];
    return [name, { ...entity, fields, field: { ...entity.field, grade: more } }];
  });
  return { ...entities, ...Object.fromEntries(growing) };
}

async function oidOfView(): Promise<unknown> {
  const { rows } = await admin.query(`select to_regclass('data.parts')::oid as oid`);
  return rows[0].oid;
}

test('a view that gains a field is replaced, while its lists still work', async () => {
  const next = await open({ entities: grown() });
  const before = await oidOfView();
  let isRunning = true;
  const readers = Array.from({ length: 4 }, async () => {
    let pages = 0;
    for (; isRunning; pages++) await page(scope, part, EVERYTHING);
    return pages;
  });
  await migrate(next);
  await migrate(store);
  await migrate(next);
  isRunning = false;
  for (const pages of await Promise.all(readers)) expect(pages).toBeGreaterThan(0);
  const { rows } = await admin.query(`select column_name from information_schema.columns where table_name = 'parts'`);
  expect(rows).toContainEqual({ column_name: 'grade' });
  expect(await oidOfView()).not.toBe(before);
});

test('a view keeps its identity when it gains a field, and gets another one when it loses a field', async () => {
  const next = await open({ entities: grown() });
  await migrate(store);
  const before = await oidOfView();
  await migrate(next);
  expect(await oidOfView()).toBe(before);
  await migrate(store);
  expect(await oidOfView()).not.toBe(before);
  expect((await page(scope, part, EVERYTHING)).count).toBe(0);
});
