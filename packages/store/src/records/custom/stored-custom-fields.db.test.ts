import type { MappedRecord } from '@unified/contract';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { fieldOf, gadget } from '../../../test/gadget.ts';
import { planOf } from '../../../test/plan.ts';
import {
  type Condition,
  type CustomType,
  page,
  type Scope,
  type StoredCustomField,
  saveCustomFields,
  saveRecords,
  storedCustomFields,
} from '../../index.ts';
import { sortKeys } from '../list/keyset.ts';

const { admin, freshScope } = await testDatabase();

const field = (name: string, type: CustomType, isIndexed = false): StoredCustomField => ({
  ...{ name, type, isIndexed },
  ...{ isWritable: false, isRequired: false, limits: {} },
});
const color = field('color', 'string', true);
const length = field('länge "x"', 'number', true);
const checked = field('checked', 'dateTime', true);

const record = (id: string, customFields: Record<string, unknown>): MappedRecord => ({
  _source: 'gadgets',
  _idValue: id,
  values: { name: id, customFields },
  references: {},
});

const records = [
  record('a', { color: 'red', 'länge "x"': 9, old: true, checked: '2026-11-20T09:30:00Z', day: '2026-11-20' }),
  record('b', { color: 'Red%', 'länge "x"': 10.5, old: false, checked: '2026-11-20T09:30:00.500Z', day: '2026-02-01' }),
  record('c', { color: null, 'länge "x"': null, old: null, checked: null, day: null }),
  record('d', {}),
  record('e', { color: 'blue', 'länge "x"': 100, old: true, checked: '2026-11-21T00:00:00Z', day: '1999-12-31' }),
];

type Comparison = readonly [name: string, operator: Condition['operator'], value: Condition['value']];

async function idsOf(scope: Scope, fields: readonly StoredCustomField[], ...given: Comparison[]): Promise<string> {
  const conditions = given.map(([name, operator, value]): Condition => {
    const custom = fields.find((each) => each.name === name) ?? expect.fail(name);
    return { field: fieldOf(gadget, 'customFields'), custom, operator, value };
  });
  const { docs, total } = await page(scope, gadget, { conditions, sort: [], limit: 50, withTotal: true });
  const found = JSON.parse(`[${docs}]`).map(({ _idValue }: { _idValue: string }) => _idValue);
  expect(total).toBe(found.length);
  return found.join('');
}

test('a record contains its custom fields by their names, or an empty object', async () => {
  const scope = freshScope();
  await saveRecords(scope, gadget, records);
  const { docs } = await page(scope, gadget, { conditions: [], sort: [], limit: 50 });
  const shown = JSON.parse(`[${docs}]`).map(({ customFields }: { customFields: unknown }) => customFields);
  expect(shown).toEqual(records.map(({ values }) => values.customFields));
});

test('text that jsonb cannot contain is stored in the document', async () => {
  const scope = freshScope();
  await saveRecords(scope, gadget, [record('a', { color: 'a\0b\ud800' })]);
  expect(await idsOf(scope, [color], ['color', 'startsWith', 'ab'])).toBe('a');
});

test.each(['stored', 'indexed'])('conditions compare %s values by their type', async (how) => {
  const scope = freshScope();
  const fields = [color, length, checked, field('old', 'boolean'), field('day', 'date', true)];
  const known = fields.map((each) => ({ ...each, isIndexed: how === 'indexed' && each.isIndexed }));
  const indexed = known.filter(({ isIndexed }) => isIndexed);
  if (how === 'indexed') await saveCustomFields(scope, gadget, known);
  await saveRecords(scope, gadget, records, { indexed });
  const cases: [string, ...Comparison[]][] = [
    ['a', ['color', 'eq', 'red']],
    ['bcde', ['color', 'neq', 'red']],
    ['ae', ['color', 'in', ['red', 'blue', 'none']]],
    ['ab', ['color', 'contains', 'RED']],
    ['b', ['color', 'endsWith', '%']],
    ['cd', ['color', 'eq', null]],
    ['abe', ['color', 'neq', null]],
    ['be', ['länge "x"', 'gt', '9']],
    ['ab', ['länge "x"', 'lt', '100']],
    ['b', ['länge "x"', 'eq', '10.50']],
    ['ae', ['old', 'eq', true]],
    ['b', ['checked', 'gt', '2026-11-20T09:30:00Z'], ['checked', 'lt', '2026-11-21']],
    ['ae', ['color', 'in', ['red', 'blue']], ['old', 'eq', true]],
    ['e', ['day', 'lt', '2000-01-01']],
    ['ab', ['day', 'gte', '2026-01-01']],
    ['', ['color', 'eq', `' or true --`]],
  ];
  for (const [expected, ...conditions] of cases)
    expect([conditions, await idsOf(scope, known, ...conditions)]).toEqual([conditions, expected]);
});

test('the index contains current values, including those of a field that is indexed later', async () => {
  const scope = freshScope();
  await saveRecords(scope, gadget, records);
  await saveCustomFields(scope, gadget, [length, color]);
  expect((await storedCustomFields(scope, ['Gadget', 'Maker'])).get('Gadget')).toEqual([length, color]);
  expect(await idsOf(scope, [color], ['color', 'eq', 'blue'])).toBe('e');
  await saveRecords(scope, gadget, [record('e', { color: 'green' })], { indexed: [color, length] });
  expect(await idsOf(scope, [color], ['color', 'eq', 'blue'])).toBe('');
  expect(await idsOf(scope, [color], ['color', 'eq', 'green'])).toBe('e');
  expect(await idsOf(scope, [length], ['länge "x"', 'gt', '50'])).toBe('');
});

test('a value whose type differs from that of the field matches nothing', async () => {
  const scope = freshScope();
  await saveRecords(scope, gadget, [record('a', { color: 'red' })]);
  for (const type of ['number', 'boolean', 'date', 'dateTime'] as const) {
    const value = { number: '1', boolean: true, date: '2026-11-20', dateTime: '2026-11-20' }[type];
    expect(await idsOf(scope, [field('color', type)], ['color', 'neq', value])).toBe('a');
    expect(await idsOf(scope, [field('color', type)], ['color', 'eq', value])).toBe('');
  }
});

test.each(['date', 'dateTime'] as const)('a %s that does not exist is null', async (type) => {
  const scope = freshScope();
  const days = ['2026-99-99', '2026-02-29', '1900-02-29', '2026-04-31', '0000-01-01', '2026-13-01', '2026-01-32'];
  const times = [
    '2026-11-20T24:30:00Z',
    '2026-11-20T12:60:00Z',
    '2026-11-20T1.2Z',
    '2026-02-30T10:00:00Z',
    '2026-11-20T10:00:00.1.2Z',
  ];
  const saved = [...days, ...times].map((value, index) => record(`${index},`, { made: value }));
  await saveRecords(scope, gadget, [
    ...saved,
    record('x', { made: '2024-02-29' }),
    record('y', { made: '2000-02-29T23:59:59.999Z' }),
    record('z', { made: '0001-12-31' }),
  ]);
  const made = field('made', type, true);
  for (const indexed of [false, true]) {
    if (indexed) await saveCustomFields(scope, gadget, [made]);
    const known = { ...made, isIndexed: indexed };
    expect(await idsOf(scope, [known], ['made', 'neq', null])).toBe('xyz');
    expect(await idsOf(scope, [known], ['made', 'lt', '2001-01-01'])).toBe('yz');
    expect(await idsOf(scope, [known], ['made', 'eq', '2024-02-29'])).toBe('x');
  }
});

test('another connection has other custom fields', async () => {
  const [one, other] = [freshScope(), freshScope()];
  await saveCustomFields(one, gadget, [color]);
  await saveRecords(one, gadget, records, { indexed: [color] });
  expect(await storedCustomFields(other, ['Gadget'])).toEqual(new Map());
  expect(await idsOf(other, [color], ['color', 'eq', 'red'])).toBe('');
});

test('a changed value is named in the change log as customFields', async () => {
  const scope = freshScope();
  await saveRecords(scope, gadget, records);
  await saveRecords(scope, gadget, [record('a', { color: 'green' })]);
  const { rows } = await admin.query(
    'select fields from unified.changes where connection_id = $1 order by seq desc limit 1',
    [scope.connectionId],
  );
  expect(rows[0].fields).toContain('customFields');
  expect(rows[0].fields).not.toContain('name');
});

test('a list filtered by an indexed custom field reads only an index', async () => {
  const scope = freshScope();
  const many = Array.from({ length: 4_000 }, (_, i) => record(`${i}`, { color: `c${i}`, 'länge "x"': i }));
  await saveCustomFields(scope, gadget, [color, length]);
  await saveRecords(scope, gadget, many, { indexed: [color, length] });
  await admin.query('analyze');
  for (const [custom, operator, value, index] of [
    [color, 'eq', 'c77', 'custom_values_text'],
    [length, 'lt', '20', 'custom_values_number'],
  ] as const) {
    const condition: Condition = { field: fieldOf(gadget, 'customFields'), custom, operator, value };
    const plan = await planOf(admin, scope, {
      entity: gadget,
      conditions: [condition],
      keys: sortKeys(gadget, []),
      position: null,
    });
    expect(plan).toContain(index);
    expect(plan).not.toContain('Seq Scan');
  }
});
