import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sqlPlatform } from '../../test/sql-platform.ts';
import { testDatabase } from '../../test/system-database.ts';
import type { Json } from '../json.ts';
import type { CatalogPage, CatalogRequest, SystemCatalog } from '../system-catalog.ts';
import { openSql, type SqlDriver } from './open-sql.ts';

let client: pg.Client;
let stop: () => Promise<void>;
let all: SqlDriver;
let guest: SqlDriver;

const setup = `
  CREATE SCHEMA "Production"; CREATE SCHEMA "v1.erp"; CREATE SCHEMA closed;
  CREATE TABLE "Production"."UnitMeasure" ("Code" char(3), "Name" varchar(50) NOT NULL, "Site" int, secret text,
    PRIMARY KEY ("Site", "Code"));
  COMMENT ON TABLE "Production"."UnitMeasure" IS 'Units of measure';
  COMMENT ON COLUMN "Production"."UnitMeasure"."Name" IS 'Shown to buyers';
  INSERT INTO "Production"."UnitMeasure" SELECT n, 'unit', 1 FROM generate_series(1, 38) AS n;
  CREATE VIEW "Production".units AS SELECT "Code", "Name" FROM "Production"."UnitMeasure";
  CREATE MATERIALIZED VIEW "v1.erp"."Sums" AS SELECT 1 AS total;
  CREATE DOMAIN required AS text NOT NULL;
  CREATE TABLE public.log (at date NOT NULL, text required, gone int) PARTITION BY RANGE (at);
  ALTER TABLE public.log DROP COLUMN gone;
  CREATE TABLE public.log_2025 PARTITION OF public.log FOR VALUES FROM ('2025-01-01') TO ('2026-01-01');
  CREATE TABLE public.log_2026 PARTITION OF public.log FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
  INSERT INTO public.log VALUES ('2025-05-01', 'a'), ('2026-05-01', 'b'), ('2026-06-01', 'c');
  CREATE TABLE closed.wages (id int PRIMARY KEY);
  ANALYZE "Production"."UnitMeasure", public.log_2025, public.log_2026;
  CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT USAGE ON SCHEMA "Production" TO guest;
  GRANT SELECT ("Site", "Name") ON "Production"."UnitMeasure" TO guest; GRANT SELECT ON closed.wages TO guest`;

beforeAll(async () => {
  const database = await testDatabase();
  stop = database.stop;
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query(setup);
  await client.query(`GRANT CONNECT ON DATABASE ${client.escapeIdentifier(client.database ?? '')} TO guest`);
  const platform = sqlPlatform({ journal: false });
  all = openSql(platform, { url: database.url });
  guest = openSql(platform, {
    url: Object.assign(new URL(database.url), { username: 'guest', password: 'guest' }).href,
  });
});
afterAll(async () => {
  await all.close();
  await guest.close();
  await client.end();
  await stop();
});

const first: CatalogRequest = { from: null };

/** Reads all pages, each with up to `limit` items. */
async function pages<Item>(limit: number, read: (request: CatalogRequest) => Promise<CatalogPage<Item> | null>) {
  const found: Item[][] = [];
  let from: Json | null = null;
  do {
    const page: CatalogPage<Item> | null = await read({ from, limit });
    found.push([...(page?.items ?? [])]);
    from = page?.next ?? null;
  } while (from !== null);
  return found;
}

const columns = async (catalog: SystemCatalog, table: string) => (await catalog.columns(table, first))?.items;

test('tables of all schemas are listed, without partitions and those of the database itself', async () => {
  const { items, next } = await all.discover.catalog.tables(first);
  expect(next).toBeNull();
  const none = { label: null, comment: null, estimatedRows: null, primaryKey: [] };
  expect(items).toEqual([
    {
      ...{ name: 'Production.UnitMeasure', kind: 'table', label: null, comment: 'Units of measure' },
      ...{ estimatedRows: 38, primaryKey: ['Site', 'Code'] },
    },
    { ...none, name: 'Production.units', kind: 'view' },
    { ...none, name: 'closed.wages', kind: 'table', primaryKey: ['id'] },
    { ...none, name: 'public.log', kind: 'table', estimatedRows: 3 },
    { ...none, name: '"v1.erp".Sums', kind: 'view' },
  ]);
});

test('columns have their type, key, comment, and whether they can be empty', async () => {
  const none = { label: null, comment: null, keyPosition: null };
  expect(await columns(all.discover.catalog, 'Production.UnitMeasure')).toEqual([
    { ...none, name: 'Code', type: 'character(3)', nullable: false, keyPosition: 2 },
    { ...none, name: 'Name', type: 'character varying(50)', nullable: false, comment: 'Shown to buyers' },
    { ...none, name: 'Site', type: 'integer', nullable: false, keyPosition: 1 },
    { ...none, name: 'secret', type: 'text', nullable: true },
  ]);
  expect(await columns(all.discover.catalog, 'public.log')).toEqual([
    { ...none, name: 'at', type: 'date', nullable: false },
    { ...none, name: 'text', type: 'required', nullable: false },
  ]);
});

test('a name in the list can be used to read the columns', async () => {
  const { items } = await all.discover.catalog.tables(first);
  for (const { name } of items) expect(await columns(all.discover.catalog, name)).not.toEqual(undefined);
});

test('a login sees only the tables that it can read', async () => {
  const { catalog } = guest.discover;
  expect((await catalog.tables(first)).items.map(({ name }) => name)).toEqual(['Production.UnitMeasure']);
  expect((await columns(catalog, 'Production.UnitMeasure'))?.map(({ name }) => name)).toEqual(['Name', 'Site']);
  for (const name of ['Production.units', 'closed.wages', 'public.log', 'Production.unitmeasure']) {
    expect(await catalog.columns(name, first)).toBeNull();
  }
});

test('lists are read page by page, each item once', async () => {
  const { catalog } = all.discover;
  const tables = await pages(2, (request) => catalog.tables(request));
  expect(tables.map((page) => page.map(({ name }) => name))).toEqual([
    ['Production.UnitMeasure', 'Production.units'],
    ['closed.wages', 'public.log'],
    ['"v1.erp".Sums'],
  ]);
  const found = await pages(3, (request) => catalog.columns('Production.UnitMeasure', request));
  expect(found.map((page) => page.map(({ name }) => name))).toEqual([['Code', 'Name', 'Site'], ['secret']]);
});

test('a page has at most 2,000 tables, whatever is requested', async () => {
  await client.query(`CREATE SCHEMA many; DO $$ BEGIN FOR n IN 1..2000 LOOP
    EXECUTE format('CREATE VIEW many.v%s AS SELECT 1 AS one', n); END LOOP; END $$`);
  const found = await pages(5_000, (request) => all.discover.catalog.tables(request));
  expect(found.map((page) => page.length)).toEqual([2_000, 5]);
});

test('a column with a foreign key of its own names the table and column that it refers to', async () => {
  await client.query(`CREATE SCHEMA sales; CREATE TABLE sales.clients (id int PRIMARY KEY, region int, place int, UNIQUE (region, place));
    CREATE TABLE sales.orders (id int PRIMARY KEY, client int REFERENCES sales.clients, region int, place int,
      FOREIGN KEY (region, place) REFERENCES sales.clients (region, place))`);
  const found = await columns(all.discover.catalog, 'sales.orders');
  expect(found?.map(({ name, refersTo }) => [name, refersTo])).toEqual([
    ['id', undefined],
    ['client', { table: 'sales.clients', column: 'id' }],
    ['region', undefined],
    ['place', undefined],
  ]);
});
