import { entities } from '@unified/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SqlSystem, startSqlSystem } from '../../test/sql-system.ts';
import { compileMapping } from '../mapping/compile.ts';
import type { MappingDefinition } from '../mapping/definition.ts';
import { missingColumns } from '../mapping/missing-columns.ts';
import type { Stream } from '../platform.ts';
import { openSql } from './open-sql.ts';

/** Only mappings that write the required fields allow creates. */
const WRITES: MappingDefinition['writes'] = ['create', 'update'];

let system: SqlSystem;

beforeAll(async () => {
  system = await startSqlSystem();
  await system.client.query(`CREATE VIEW "Old ERP".heads AS SELECT *, upper(name) AS title FROM "Old ERP"."Head"`);
});
afterAll(() => system.stop());

/** Columns of a purchase order mapping that the database lacks, as `Entity.field: message`. */
async function missing(definition: Partial<MappingDefinition>, options: Stream['options'] = {}) {
  const stream = { ...system.head, options: { ...system.head.options, ...options } };
  const driver = openSql({ ...system.platform, streams: [stream] }, { url: system.url });
  const source = { entity: 'PurchaseOrder', stream: 'Head', writes: ['update'], fields: {}, ...definition };
  const mapping = compileMapping(source, { file: 'purchase-order.yaml', entity: entities.PurchaseOrder });
  try {
    const [columns, tables] = [await driver.discover.columns(stream), await driver.discover.written?.(stream)];
    return missingColumns(mapping, columns ?? [], tables).map(({ field, message }) => `${field}: ${message}`);
  } finally {
    await driver.close();
  }
}

/** The fields that every create contains: the lines, with these columns, and the vendor. */
const required = (fields: Record<string, string>): MappingDefinition['fields'] => ({
  vendor: { ref: { entity: 'Vendor', by: '_idValue', value: 'name' } },
  lines: {
    read: { refs: { entity: 'PurchaseOrderLine', by: '_idValue', each: 'lines' } },
    write: { list: { to: 'lines', fields } },
  },
});

test('columns that are used only by writes are found in the table, and those of lines in the table of the list', async () => {
  const fields = { notes: { read: 'name', write: 'naem' }, ...required({ quantityOrdered: 'qyt' }) };
  expect(await missing({ fields, writes: WRITES, onCreate: { stat: { const: 'A' } } })).toEqual([
    'notes: Old ERP.Head has no column "naem", which writes set. Did you mean "name"?',
    'lines.quantityOrdered: Old ERP.line has no column "qyt", which writes set. Did you mean "qty"?',
    'onCreate: Old ERP.Head has no column "stat", which writes set. Did you mean "state"?',
  ]);
});

test('existing columns, and those that no request can set, are not reported', async () => {
  const fields = { notes: { read: 'name', write: 'extra.text' }, ...required({ quantityOrdered: 'qty' }) };
  expect(await missing({ fields, writes: WRITES, onCreate: { state: { const: 'A' } } })).toEqual([]);
  const wrong = { fields: { notes: { read: 'name', write: 'naem' } }, onCreate: { stat: { const: 'A' } } };
  expect(await missing({ ...wrong, writes: [] })).toEqual([]);
  expect(await missing({ ...wrong, writes: ['update'] })).toEqual([expect.stringMatching(/^notes: /)]);
});

test('a column of the view that its table does not have cannot be written', async () => {
  expect(await missing({ fields: { notes: 'title' } }, { view: 'heads' })).toEqual([
    'notes: Old ERP.Head has no column "title", which writes set. Correct the mapping.',
  ]);
});

test('a column that is read and written is reported once', async () => {
  expect(await missing({ fields: { notes: 'naem' } })).toEqual([
    'notes: Head has no column "naem". Did you mean "name"?',
  ]);
});

test('a list that is not declared as written cannot be written', async () => {
  const children = { lines: { table: 'line', parent: { head: 'no' }, key: ['head', 'pos'] } };
  expect(await missing({ fields: required({ quantityOrdered: 'qty' }) }, { children })).toHaveLength(2);
});

test('values of an action are columns of the table, unless a function takes them', async () => {
  const act = (name: string, values: Record<string, string>) => ({ submit: { act: name, values } });
  const actions = (definition: MappingDefinition['actions']) =>
    missing({ fields: { notes: 'name' }, ...(definition && { actions: definition }) });
  expect(await actions(act('release', { at: 'submittedAt', stat: 'reason' }))).toEqual([
    'actions.submit: Old ERP.Head has no column "stat", which writes set. Did you mean "state"?',
  ]);
  expect(await actions(act('add', { by: 'amount' }))).toEqual([]);
});
