import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { intent } from '../../../test/sql-writes.ts';
import type { Row } from '../../driver.ts';
import { loadPlatform } from '../../load-platform.ts';
import type { Platform } from '../../platform.ts';
import { openSql, type SqlDriver } from '../open-sql.ts';

const example = fileURLToPath(new URL('../../../examples/small-erp', import.meta.url));

const tables = `
  CREATE TABLE supplier (id integer PRIMARY KEY, number text UNIQUE, name text NOT NULL, email text, changed_at text);
  CREATE TABLE article (number text PRIMARY KEY, name text, changed_at text);
  CREATE TABLE purchase_order (id integer PRIMARY KEY, number text UNIQUE, supplier_id int NOT NULL REFERENCES supplier, ordered_on text,
    status text NOT NULL DEFAULT 'open', changed_at text);
  CREATE TABLE purchase_order_line (order_id int REFERENCES purchase_order, line int, article text REFERENCES article,
    quantity numeric CHECK (quantity > 0), price numeric, changed_at text, PRIMARY KEY (order_id, line));
  INSERT INTO article (number, name) VALUES ('A-1', 'Bolt');`;

let folder: string;
let books: DatabaseSync;
let platform: Platform;
let driver: SqlDriver;

/** The example with these options, and without cursors, because SQLite has no times. */
function exampleWith(options: string): Platform {
  const copy = mkdtempSync(join(folder, 'platform-'));
  cpSync(example, copy, { recursive: true });
  const yaml = readFileSync(join(example, 'platform.yaml'), 'utf8').replaceAll(/^ +cursor: .*\n/gm, '');
  writeFileSync(join(copy, 'platform.yaml'), `${yaml}\noptions: ${options}\n`);
  return loadPlatform(copy);
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'small-erp-'));
  vi.stubEnv('SQLITE_FOLDER', folder);
  const file = join(folder, 'erp.sqlite');
  books = new DatabaseSync(file);
  books.exec(tables);
  platform = exampleWith('{ dialect: sqlite }');
  driver = openSql(platform, { url: `sqlite://${file}` });
});
afterAll(async () => {
  await driver.close();
  books.close();
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function mappingOf(entity: string) {
  const mapping = platform.mappings[entity] ?? expect.fail(`There is no mapping of ${entity}`);
  const stream = platform.streams.find(({ name }) => name === mapping.stream) ?? expect.fail('There is no stream');
  return { mapping, stream };
}

async function create(entity: string, input: Row): Promise<string> {
  const { mapping, stream } = mappingOf(entity);
  return (await driver.writes.create(stream, mapping.write(input, { op: 'create' }).values, intent())).key;
}

test('the example for PostgreSQL writes to SQLite: codes, lines, an update and an action', async () => {
  expect(platform.broken).toEqual([]);
  const vendor = await create('Vendor', { name: 'Bolts & Co', email: 'a@example.com' });
  expect(await create('Vendor', { name: 'Nuts' })).not.toBe(vendor);
  const reference = (entity: string, key: string) => ({ id: '', _idValue: key, code: '', _displayValue: '', entity });
  const line = { item: reference('Item', 'A-1'), quantity: 4, unitPrice: 2.5 };
  const order = {
    vendor: reference('Vendor', vendor),
    orderDate: '2026-11-20',
    lines: [line, { ...line, quantity: 1 }],
  };
  const key = await create('PurchaseOrder', order);
  const { stream, mapping } = mappingOf('PurchaseOrder');
  const { act, values } = mapping.actions.approve?.write({}) ?? expect.fail('The order has no action');
  await driver.actions.act(stream, key, act ?? '', values, intent());
  const change = mapping.write({ orderDate: '2026-11-21' }, { op: 'update' });
  await driver.writes.update(stream, key, change.values, intent());
  const row = (await driver.read(stream, key)) ?? expect.fail('There is no order');
  expect(mapping.read({ key, row })?.values).toMatchObject({
    code: 'PO-0001',
    orderDate: '2026-11-21',
    statusCategory: 'approved',
  });
  expect(row.lines).toEqual([`${key}/1`, `${key}/2`]);
  expect(
    books
      .prepare('SELECT number, name FROM supplier ORDER BY id')
      .all()
      .map((each) => ({ ...each })),
  ).toEqual([
    { number: 'S-0001', name: 'Bolts & Co' },
    { number: 'S-0002', name: 'Nuts' },
  ]);
});

test('a read-only platform for SQLite refuses mappings that write', () => {
  const { broken } = exampleWith('{ dialect: sqlite, readOnly: true }');
  expect(broken.flatMap(({ problems }) => problems.map(({ message }) => message)).join('\n')).toContain(
    'cannot write the stream "supplier"',
  );
});
