import { beforeAll, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { fieldOf, gadget, maker } from '../../../test/gadget.ts';
import { planOf, rowsSorted } from '../../../test/plan.ts';
import { type Condition, saveRecords } from '../../index.ts';
import { type Position, sortKeys } from './keyset.ts';

const { admin, freshScope } = await testDatabase();
const scope = freshScope();
let makerId = '';

beforeAll(async () => {
  const { ids } = await saveRecords(
    scope,
    maker,
    Array.from({ length: 50 }, (_, i) => ({
      _source: 'm',
      _idValue: `${i}`,
      values: { name: `Maker ${i}` },
      references: {},
    })),
  );
  makerId = ids[7] ?? '';
  const gadgets = Array.from({ length: 8000 }, (_, i) => ({
    _source: 'g',
    _idValue: `${i}`,
    values: {
      name: i % 10 === 0 ? null : `Gadget ${i}`,
      statusCategory: ['draft', 'open', 'closed'][i % 3],
      _updatedAt: new Date(1.7e12 + i * 60_000).toISOString(),
    },
    references: {
      maker: { entity: 'Maker', by: '_idValue' as const, value: `${i % 50}` },
      owners: [{ entity: 'Maker', by: '_idValue' as const, value: `${i % 50}` }],
    },
  }));
  await saveRecords(scope, gadget, gadgets);
  await admin.query('analyze');
});

/** The plan of a list of gadgets. */
function plan(conditions: Condition[], sort: [string, boolean][], position: Position | null): Promise<string> {
  const order = sort.map(([name, descending]) => ({ field: fieldOf(gadget, name), descending }));
  return planOf(admin, scope, { entity: gadget, conditions, keys: sortKeys(gadget, order), position });
}

const condition = (name: string, operator: Condition['operator'], value: Condition['value']): Condition => ({
  field: fieldOf(gadget, name),
  operator,
  value,
});

const id = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';
const time = '2024-01-01 00:00:00+00';

test.each<[string, () => [Condition[], [string, boolean][], Position | null], string]>([
  ['the default list', () => [[], [], null], 'gadgets_pkey'],
  ['the default list from a cursor', () => [[], [], [id]], 'gadgets_pkey'],
  ['a list by code', () => [[condition('code', 'eq', '4711')], [], null], 'gadgets_code'],
  ['a list by relation', () => [[condition('maker', 'eq', makerId)], [], null], 'gadgets_maker'],
  ['a list by relation from a cursor', () => [[condition('maker', 'eq', makerId)], [], [id]], 'gadgets_maker'],
  ['the newest', () => [[], [['_updatedAt', true]], null], 'gadgets__updatedAt'],
  ['the newest from a cursor', () => [[], [['_updatedAt', true]], [time, id]], 'gadgets__updatedAt'],
  [
    'changes since a timestamp',
    () => [[condition('_updatedAt', 'gt', '2024-01-01')], [['_updatedAt', false]], null],
    'gadgets__updatedAt',
  ],
  ['a list by name from a cursor', () => [[], [['name', false]], ['Gadget 500', id]], 'gadgets_name'],
  [
    'a list by name from a cursor among records without a name',
    () => [[], [['name', false]], [null, id]],
    'gadgets_name',
  ],
  [
    'a descending list by name from a cursor among records without a name',
    () => [[], [['name', true]], [null, id]],
    'gadgets_name',
  ],
  ['a list by status from a cursor', () => [[], [['statusCategory', true]], ['open', id]], 'gadgets_statusCategory'],
])('%s is read in order from an index', async (_, query, index) => {
  const text = await plan(...query());
  expect(text).toMatch(new RegExp(`using "?${index}"?`));
  expect(text).not.toContain('Seq Scan');
  expect(rowsSorted(text)).toBeLessThanOrEqual(2 * 51);
});

test('a list by an unindexed field reads all records', async () => {
  expect(await plan([condition('remark', 'eq', 'x')], [['weight', false]], null)).toMatch(/Seq Scan|Filter:/);
});
