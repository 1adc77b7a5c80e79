import { draftMapping } from '@unified/connectors';
import { type EntityName, entities } from '@unified/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BookFile, bookPlatform, createBookFile } from '../../test/book-file.ts';
import { SystemUnderTest } from '../system-under-test.ts';
import { mappingText, streamText } from './draft-text.ts';

let file: BookFile;
let system: SystemUnderTest;

const tables = `
  CREATE TABLE orders (year int NOT NULL, order_no text NOT NULL, supplier_id int NOT NULL, orderdate date, status text,
    "cur.code" text, Currency_Code text, order_total numeric, is_tax_inclusive int, picture blob, no_use text, PRIMARY KEY (year, order_no));
  INSERT INTO orders (year, order_no, supplier_id, status) VALUES (1, 'a', 1, 'Approved'), (1, 'b', 1, 'half: done'), (1, 'c', 1, '  ');
  CREATE TABLE A_Supplier (Supplier text PRIMARY KEY NOT NULL, SupplierName text, SupplierCurrency text);
  CREATE TABLE employees (employee_id int PRIMARY KEY NOT NULL, last_name text, first_name text, title text, address text, city text,
    region text, postal_code text, reports_to int);
  CREATE TABLE deliveries (id int PRIMARY KEY NOT NULL, ship_name text, ship_address text, ship_city text, freight real);
  CREATE TABLE suppliers (id int PRIMARY KEY NOT NULL); CREATE TABLE currencies (id int PRIMARY KEY NOT NULL);
  CREATE TABLE invoice_heads (id int PRIMARY KEY NOT NULL, from_no int REFERENCES suppliers, currency_code int REFERENCES currencies (id));
  CREATE TABLE vendors (id int PRIMARY KEY NOT NULL, code text UNIQUE);
  CREATE TABLE bill_heads (id int PRIMARY KEY NOT NULL, vendor_code text REFERENCES vendors (code));
  CREATE TABLE locations (id int PRIMARY KEY NOT NULL);
  CREATE TABLE transports (id int PRIMARY KEY NOT NULL, a int REFERENCES locations, b int REFERENCES locations);
  CREATE TABLE clients (id int PRIMARY KEY NOT NULL, first_name text, surname text, company text);
  CREATE TABLE rechnung (id int PRIMARY KEY NOT NULL, firma int REFERENCES supplier (id));
  CREATE VIEW names AS SELECT name, email FROM supplier;`;

beforeAll(() => {
  file = createBookFile();
  file.books.exec(tables);
  vi.stubEnv('SQLITE_FOLDER', file.folder);
  system = new SystemUnderTest(bookPlatform(), file.settings);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await system.close();
  file.remove();
});

async function drafted(table: string, entity: EntityName) {
  const page = await system.driver.discover?.catalog?.columns(table, { from: null });
  return draftMapping(system, entities[entity], { name: table, columns: page?.items ?? [] });
}

test('a column becomes the field with its name, with a word for their types', async () => {
  const { fields, key } = await drafted('orders', 'PurchaseOrder');
  expect(key).toEqual(['year', 'order_no']);
  expect(Object.fromEntries(fields)).toEqual({
    code: 'order_no',
    vendor: { ref: { entity: 'Vendor', by: '_idValue', value: 'supplier_id' } },
    orderDate: { date: 'orderdate' },
    statusCategory: { lookup: { from: 'status', table: { Approved: 'approved' } } },
    currency: { ref: { entity: 'Currency', by: 'code', value: 'Currency_Code' } },
    total: 'order_total',
    isTaxInclusive: { boolean: { from: 'is_tax_inclusive', true: [1], false: [0] } },
  });
});

test('columns may repeat a name that systems use for the entity', async () => {
  const { fields } = await drafted('A_Supplier', 'Vendor');
  expect(Object.fromEntries(fields)).toEqual({
    code: 'Supplier',
    name: 'SupplierName',
    currency: { ref: { entity: 'Currency', by: '_idValue', value: 'SupplierCurrency' } },
  });
});

test('columns that belong together become an address, or the name of a person', async () => {
  const { fields, proposals, unusedColumns } = await drafted('employees', 'Employee');
  expect(Object.fromEntries(fields)).toEqual({
    name: { concat: { parts: ['first_name', 'last_name'], separator: ' ' } },
    firstName: 'first_name',
    lastName: 'last_name',
    jobTitle: 'title',
    address: { object: { fields: { line1: 'address', city: 'city', state: 'region', postalCode: 'postal_code' } } },
    superior: { ref: { entity: 'Employee', by: '_idValue', value: 'reports_to' } },
  });
  expect(unusedColumns).toEqual([]);
  const reason = 'The columns first_name, last_name are called like the first and last name of a person.';
  expect(proposals.get('name')).toEqual({ column: 'first_name', reason, confidence: 0.75 });
  expect(Object.fromEntries((await drafted('deliveries', 'SalesOrder')).fields)).toEqual({
    shippingAddress: { object: { fields: { addressee: 'ship_name', line1: 'ship_address', city: 'ship_city' } } },
    shippingCost: 'freight',
  });
});

test('a customer is called like the firm, or the person if there is none', async () => {
  const { fields, unusedColumns } = await drafted('clients', 'Customer');
  expect(Object.fromEntries(fields)).toEqual({
    name: { coalesce: ['company', { concat: { parts: ['first_name', 'surname'], separator: ' ' } }] },
  });
  expect(unusedColumns).toEqual([]);
});

test('open decisions are in comments', async () => {
  const text = mappingText(await drafted('orders', 'PurchaseOrder'));
  expect(text).toContain("# To assign in statusCategory: 'half: done'\n");
  expect(text).toContain('# Columns without a field: cur.code (TEXT), picture (BLOB), no_use (TEXT)\n');
  expect(text).toMatch(/# Fields of PurchaseOrder without a column: [\s\S]*\bapprovedBy\b/);
});

test('values of a field that was not drafted need a lookup', async () => {
  const draft = await drafted('orders', 'PurchaseOrder');
  const unassigned = new Map([['priorityLevel', ['1', '2']]]);
  expect(mappingText({ ...draft, unassigned })).toContain(
    "# To assign in priorityLevel, which needs a lookup: '1', '2'\n",
  );
});

test('the key of a view is a guess', async () => {
  const draft = await drafted('names', 'Vendor');
  expect(streamText(draft)).toBe('names:\n  key: name # a guess, because the system has no primary key for it\n');
});

test('a column with the time of the last change is proposed as a cursor', () => {
  const draft = {
    table: 'a.b',
    key: ['a', 'b'],
    isKeyGuessed: false,
    ...{ cursor: 'Changed At', isCursorKnown: false },
    options: { fields: ['x'] },
  };
  const text = streamText(draft);
  expect(text).toContain('a.b:\n  key: [a, b]\n  # If Changed At increases');
  expect(text).toContain('\n  # cursor: Changed At\n  options: { fields: [x] }\n');
});

test('foreign keys identify the records of relations, whatever their columns are called', async () => {
  const { fields, proposals } = await drafted('invoice_heads', 'PurchaseOrder');
  expect(Object.fromEntries(fields)).toMatchObject({
    vendor: { ref: { entity: 'Vendor', by: '_idValue', value: 'from_no' } },
    currency: { ref: { entity: 'Currency', by: '_idValue', value: 'currency_code' } },
  });
  expect(proposals.get('vendor')).toEqual({
    column: 'from_no',
    reason: 'Its foreign key refers to the table of this kind of record.',
    confidence: 0.75,
  });
  expect(proposals.get('currency')).toEqual({
    column: 'currency_code',
    reason: 'Systems often use this column name for the field. A foreign key confirms it.',
    confidence: 0.95,
  });
});

test('a foreign key identifies the records of a table that a stream or the same command names without its schema', async () => {
  const vendor = { ref: { entity: 'Vendor', by: '_idValue', value: 'firma' } };
  const { platform, settings } = system;
  const page = await system.driver.discover?.catalog?.columns('rechnung', { from: null });
  const rechnung = { name: 'rechnung', columns: page?.items ?? [] };
  const { fields } = await draftMapping({ platform, settings }, entities.PurchaseOrder, rechnung);
  expect(fields.get('vendor')).toEqual(vendor);
  const empty = { platform: { ...platform, streams: [], mappings: {} }, settings };
  const planned = [{ table: 'supplier', entity: entities.Customer }];
  const order = await draftMapping({ ...empty, planned }, entities.SalesOrder, rechnung);
  expect(order.fields.get('customer')).toEqual({ ref: { ...vendor.ref, entity: 'Customer' } });
});

test('a foreign key to a column that is not the primary key does not identify records by that key', async () => {
  const { fields, proposals } = await drafted('bill_heads', 'PurchaseOrder');
  expect(fields.get('vendor')).toEqual({ ref: { entity: 'Vendor', by: 'code', value: 'vendor_code' } });
  expect(proposals.get('vendor')?.reason).not.toContain('foreign key');
});

test('a foreign key that several relations or columns could mean is left to a person', async () => {
  const { fields, unusedColumns } = await drafted('transports', 'InventoryTransfer');
  expect(fields.size).toBe(0);
  expect(unusedColumns.map(({ name }) => name)).toEqual(['a', 'b']);
});
