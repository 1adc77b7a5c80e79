import { ROW_KEY, type Row } from '@unified/connectors';
import { entities } from '@unified/contract';
import { documents, find, saveRecords } from '@unified/store';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Site, startHarness } from '../../test/harness.ts';
import { identifyLines, linesToRestore, unknownLines } from './given-lines.ts';

const harness = await startHarness();
let site: Site;
let order = '';
let ids: readonly string[] = [];
let other = '';

/** A sales order with three lines of 10, 20 and 30, and another order with one. */
beforeAll(async () => {
  site = await harness.site();
  const save = async (key: string, quantities: readonly number[]) => {
    const lines = quantities.map((quantity, index) => ({
      ...{ _source: 'lines', _idValue: `${key}/${index + 1}`, references: {} },
      values: { _displayValue: 'Bolt', line: index + 1, quantity, description: `${quantity} bolts` },
    }));
    const saved = await saveRecords(site.scope, entities.SalesOrderLine, lines);
    const refs = lines.map(({ _idValue: value }) => ({ entity: 'SalesOrderLine', by: '_idValue' as const, value }));
    const head = { _source: 'orders', _idValue: key, values: { _displayValue: key }, references: { lines: refs } };
    const { ids: made } = await saveRecords(site.scope, entities.SalesOrder, [head]);
    return { lines: [...saved.ids.values()], id: [...made.values()][0] ?? '' };
  };
  ({ lines: ids, id: order } = await save('7', [10, 20, 30]));
  other = (await save('8', [40])).lines[0] ?? '';
});

const writing = (op: 'create' | 'update' | 'replace', lines: readonly Row[]) => ({
  ...{ entity: 'SalesOrder', op, body: { notes: 'x', lines } },
  targetId: op === 'create' ? null : order,
});
const identified = async (lines: readonly Row[], op: 'create' | 'update' | 'replace' = 'update') =>
  (await identifyLines(site.scope, writing(op, lines))).lines;

describe('a line of a body', () => {
  test('gets the key of its row by id, _idValue or number; any other line is new', async () => {
    const lines = [
      { id: ids[2]?.toUpperCase(), quantity: 1 },
      { _idValue: '7/1' },
      { line: 2, quantity: 3 },
      { line: 9 },
      {},
    ];
    expect(await identified(lines)).toEqual([
      { [ROW_KEY]: '7/3', quantity: 1 },
      { [ROW_KEY]: '7/1' },
      { [ROW_KEY]: '7/2', line: 2, quantity: 3 },
      { line: 9 },
      {},
    ]);
  });

  test('keep what a replacement omits', async () => {
    const lines = await identified([{ id: ids[0], description: 'Nut' }], 'replace');
    expect(lines).toEqual([{ [ROW_KEY]: '7/1', description: 'Nut' }]);
  });

  test.each([
    ['of another record', () => [{ id: other }], 'lines[0]'],
    ['that does not exist', () => [{}, { _idValue: '7/9' }], 'lines[1]'],
    ['that is sent twice', () => [{ id: ids[0] }, { line: 1 }], 'lines[1]'],
  ])('%s is refused', async (_, lines, field) => {
    const refused = { code: 'SERVICE_UNRESOLVED_REFERENCE', details: [{ field }] };
    await expect(identified(lines())).rejects.toMatchObject(refused);
  });

  test('of a new record is new', async () => {
    expect(await identified([{ line: 1, quantity: 1 }], 'create')).toEqual([{ line: 1, quantity: 1 }]);
    await expect(identified([{ id: ids[0] }], 'create')).rejects.toMatchObject({
      code: 'SERVICE_UNRESOLVED_REFERENCE',
    });
  });

  test('with an unknown id is reported before the write; one with another unknown key may exist later', async () => {
    const faults = await unknownLines(
      site.scope,
      writing('update', [{ id: ids[1] }, { id: other }, { _idValue: '7/9' }]),
    );
    expect(faults.map(({ reference }) => reference.field)).toEqual(['lines[1]']);
  });
});

test('lines to restore have their numbers and writable fields', async () => {
  const text = await find(site.scope, entities.SalesOrder, order);
  const { lines } = JSON.parse(text ?? '{}');
  const restored = (await linesToRestore(site.scope, entities.SalesOrder.field.lines, lines)) as Row[];
  expect(restored).toMatchObject([
    { line: 1, quantity: 10, description: '10 bolts' },
    { line: 2, quantity: 20 },
    { line: 3, quantity: 30 },
  ]);
  for (const name of ['id', '_idValue', 'total']) expect(restored[0]).not.toHaveProperty(name);
  expect(await documents(site.scope, entities.SalesOrderLine, ids)).toHaveProperty('size', 3);
});
