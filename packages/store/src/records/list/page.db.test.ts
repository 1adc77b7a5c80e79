import { type MappedRecord, ServiceError } from '@unified/contract';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { fieldOf, gadget, maker } from '../../../test/gadget.ts';
import { matches } from '../../../test/matches.ts';
import { type Condition, joinedPage, type Operator, type PageQuery, page, saveRecords } from '../../index.ts';

const { freshScope } = await testDatabase();
const scope = freshScope();

const makers = ['Acme', 'Bolt', 'Cog'].map(
  (name, index): MappedRecord => ({
    _source: 'makers',
    _idValue: `m${index}`,
    values: { name },
    references: {},
  }),
);
const makerIds = (await saveRecords(scope, maker, makers)).ids;

const NAMES = ['50% off', 'under_score', 'back\\slash', 'Ünder', 'plain', 'PLAIN', null, ''];
const DAYS = ['2026-01-31', '2026-02-01', null, '1999-12-31'];

/** 60 records in which every field has every kind of value, including none. */
const gadgets = Array.from(
  { length: 60 },
  (_, i): MappedRecord => ({
    _source: 'gadgets',
    _idValue: `g${i}`,
    values: {
      name: NAMES[i % NAMES.length],
      remark: i % 3 === 0 ? null : `remark ${i}`,
      weight: [1.5, -2, null, 0, 1000000.25][i % 5],
      count: i % 7 === 0 ? null : i % 6,
      isActive: [true, false, null][i % 3],
      isSold: [true, false, undefined, null][i % 4],
      madeOn: DAYS[i % 4],
      soldAt: i % 5 === 0 ? null : `2026-02-0${(i % 5) + 1}T12:30:00+02:00`,
      statusCategory: ['draft', 'open', 'closed', null][i % 4],
      tags: [['red'], ['red', 'blue'], []][i % 3],
      aliases: [null, [], ['a,b', 'c"d']][i % 3],
      extra: { i },
      _updatedAt: `2026-03-0${(i % 3) + 1}T00:00:00Z`,
      _createdAt: '2026-01-01T00:00:00Z',
    },
    references: {
      maker: i % 4 === 3 ? null : { entity: 'Maker', by: '_idValue', value: `m${i % 4}` },
      parent: null,
      owners:
        [[], ['m0'], ['m0', 'm1']][i % 3]?.map((value) => ({ entity: 'Maker', by: '_idValue' as const, value })) ?? [],
    },
  }),
);
const { ids } = await saveRecords(scope, gadget, gadgets);

const condition = (name: string, operator: Operator, value: Condition['value']): Condition => ({
  field: fieldOf(gadget, name),
  operator,
  value,
});

async function list(query: Partial<PageQuery>) {
  const whole = { conditions: [], sort: [], limit: 500, ...query };
  const result = await page(scope, gadget, whole);
  const { docs, cursorAfter: _, ...facts } = result;
  expect(await joinedPage(scope, gadget, whole)).toEqual({
    ...facts,
    joined: docs.join(','),
    bytes: Buffer.byteLength(docs.join(',')),
  });
  return { ...result, records: JSON.parse(`[${result.docs}]`) as Record<string, unknown>[] };
}

const everything = (await list({})).records;

const textOperators: Operator[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'contains', 'startsWith', 'endsWith'];
const ordered: Operator[] = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte'];
const unknownId = '00000000-0000-7000-8000-000000000000';

/** Fields with their operators and relevant values. */
const rules: [string, Operator[], Condition['value'][]][] = [
  ['name', textOperators, ['plain', '%', '_', '\\', 'ÜNDER', '50% OFF', '']],
  ['name', ['eq', 'neq'], [null]],
  ['name', ['in'], [['plain', 'Ünder', 'nothing'], []]],
  ['remark', ['eq', 'neq'], ['', 'remark 1', null]],
  ['weight', ordered, ['1.5', '-2', 0, '1000000.25']],
  ['weight', ['eq', 'neq'], [null]],
  ['weight', ['in'], [[1.5, '0', 77]]],
  ['count', ordered, [3]],
  ['count', ['in'], [[1, 2]]],
  ['isActive', ['eq', 'neq'], [true, false, null]],
  ['isSold', ['eq', 'neq'], [true, false, null]],
  ['madeOn', ordered, ['2026-02-01', '2026-02-01T00:00:00Z', '2026-01-31T23:59:59-05:00']],
  ['madeOn', ['eq', 'neq'], [null]],
  ['madeOn', ['in'], [['1999-12-31', '2026-01-31T00:00:00Z']]],
  ['soldAt', ordered, ['2026-02-03', '2026-02-03T10:30:00Z', '2026-02-03T12:30:00+02:00']],
  ['_updatedAt', ordered, ['2026-03-02']],
  ['statusCategory', ['eq', 'neq'], ['open', null]],
  ['statusCategory', ['in'], [['draft', 'closed']]],
  ['maker', ['eq', 'neq'], [makerIds[0] ?? '', unknownId, 'no uuid']],
  ['maker', ['in'], [[makerIds[0] ?? '', makerIds[1] ?? '', 'no uuid']]],
  ['owners', ['eq', 'neq'], [makerIds[0] ?? '', makerIds[1] ?? '', unknownId, 'no uuid']],
  [
    'owners',
    ['in'],
    [
      [makerIds[1] ?? '', 'no uuid'],
      [makerIds[0] ?? '', unknownId],
    ],
  ],
  ['tags', ['eq', 'neq'], ['red', 'blue', 'green', null]],
  ['tags', ['in'], [['blue', 'green']]],
  ['aliases', ['eq', 'neq'], ['a,b', 'c"d', null]],
  ['id', textOperators, [ids[30] ?? '', '0', 'z', (ids[30] ?? '').slice(0, 12), 'no uuid']],
  ['id', ['in'], [[ids[0] ?? '', ids[59] ?? '', 'no uuid']]],
  ['code', ['eq', 'contains', 'gt'], ['g7', 'G7']],
];

describe('a filter returns exactly the records that a simple implementation of the rules returns', () => {
  const cases = rules.flatMap(([name, operators, values]) =>
    operators.flatMap((operator) => values.map((value) => [name, operator, value] as const)),
  );
  test.each(cases)('%s %s %j', async (name, operator, value) => {
    const wanted = everything.filter((record) => matches(record, condition(name, operator, value)));
    const found = await list({ conditions: [condition(name, operator, value)], withTotal: true });
    expect(found.records.map(({ code }) => code)).toEqual(wanted.map(({ code }) => code));
    expect(found.total).toBe(wanted.length);
    const { total } = await list({ conditions: [condition(name, operator, value)], withTotal: true, limit: 1 });
    expect(total).toBe(wanted.length);
  });
});

test('the total is the same on every page, and beyond the last one', async () => {
  const total = everything.length;
  const { nextCursor } = await list({ limit: total - 1 });
  const pages: Partial<PageQuery>[] = [
    { limit: total },
    { limit: 10 },
    { limit: 10, offset: 10 },
    { limit: 10, offset: total - 3 },
    { limit: 10, offset: total },
    { limit: 10, offset: 1000 },
    ...(nextCursor === null ? [] : [{ limit: 10, cursor: nextCursor }]),
  ];
  const totals = await Promise.all(pages.map(async (each) => (await list({ ...each, withTotal: true })).total));
  expect(totals).toEqual(Array.from({ length: 7 }, () => total));
});

test('the cases above distinguish the rules: each condition matches some records and not others', () => {
  for (const [name, operators, values] of rules) {
    const counts = operators.flatMap((operator) =>
      values.map((value) => everything.filter((record) => matches(record, condition(name, operator, value))).length),
    );
    expect(
      counts.some((count) => count > 0),
      name,
    ).toBe(true);
    expect(
      counts.some((count) => count < everything.length),
      name,
    ).toBe(true);
  }
});

test('a range is two conditions on the same field', async () => {
  const { records } = await list({ conditions: [condition('count', 'gte', 2), condition('count', 'lt', 4)] });
  expect(new Set(records.map(({ count }) => count))).toEqual(new Set([2, 3]));
});

test.each([
  ['isActive', 'gt', true],
  ['statusCategory', 'contains', 'o'],
  ['maker', 'gt', unknownId],
  ['extra', 'eq', 'x'],
  ['extra', 'eq', null],
  ['contacts', 'eq', 'x'],
  ['contacts', 'neq', null],
  ['tags', 'contains', 'r'],
] as const)('%s does not accept %s', async (name, operator, value) => {
  await expect(list({ conditions: [condition(name, operator, value)] })).rejects.toMatchObject({
    code: 'SERVICE_INVALID_FILTER',
  });
});

test.each([
  ['name', 'a\0b'],
  ['weight', 'heavy'],
  ['madeOn', '2026-02-30T00:00:00Z'],
  ['count', '1e400000'],
  ['name', ['a', 'b\0']],
] as [string, Condition['value']][])(
  'a value that PostgreSQL refuses is a request error: %s %j',
  async (name, value) => {
    const operator = Array.isArray(value) ? 'in' : 'eq';
    const error = await list({ conditions: [condition(name, operator, value)] }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ServiceError);
    expect(error).toMatchObject({ code: 'SERVICE_INVALID_FILTER', status: 400 });
    expect(String(error)).toContain(name);
    expect(String(error)).not.toMatch(/invalid|out of range|overflow|syntax|numeric|timestamp/);
  },
);

const sorts: [string, boolean][][] = [
  [],
  [['id', true]],
  [['name', false]],
  [['name', true]],
  [['weight', false]],
  [['_updatedAt', true]],
  [['maker', false]],
  [['isActive', true]],
  [
    ['statusCategory', false],
    ['weight', true],
  ],
  [
    ['madeOn', true],
    ['name', false],
    ['count', true],
  ],
  [
    ['_updatedAt', false],
    ['soldAt', true],
  ],
];

describe('reading by cursor returns every record once, in the order of the whole list', () => {
  test.each(
    sorts.map((sort) => [sort.map(([name, down]) => (down ? '-' : '') + name).join(',') || 'default', sort] as const),
  )('%s', async (_, given) => {
    const sort = given.map(([name, descending]) => ({ field: fieldOf(gadget, name), descending }));
    const whole = await list({ sort });
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const part = await list({ sort, limit: 7, ...(cursor !== undefined && { cursor }) });
      expect(part.hasMore).toBe(part.nextCursor !== null);
      seen.push(...part.records.map(({ id }) => id));
      cursor = part.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(whole.records.map(({ id }) => id));
    expect(new Set(seen).size).toBe(60);
  });
});

test.each(['name', 'remark', 'weight', 'isActive', 'madeOn', 'soldAt', 'maker'] as const)(
  'records without %s are last in ascending order, and first in descending order',
  async (name) => {
    const field = fieldOf(gadget, name);
    for (const descending of [false, true]) {
      const { records } = await list({ sort: [{ field, descending }] });
      const isEmpty = records.map((record) => (record[name] ?? null) === null);
      const empty = isEmpty.filter(Boolean).length;
      expect(empty).toBeGreaterThan(0);
      expect(empty).toBeLessThan(60);
      const ends = [Array<boolean>(60 - empty).fill(false), Array<boolean>(empty).fill(true)];
      expect(isEmpty).toEqual((descending ? ends.toReversed() : ends).flat());
    }
  },
);

test('an offset counts from the beginning of the same order', async () => {
  const whole = await list({ sort: [{ field: fieldOf(gadget, 'name'), descending: false }] });
  const part = await list({ sort: [{ field: fieldOf(gadget, 'name'), descending: false }], limit: 10, offset: 25 });
  expect(part.records).toEqual(whole.records.slice(25, 35));
  expect(part).toMatchObject({ count: 10, hasMore: true });
});

test('a cursor continues at its position when records before it are removed and others are added', async () => {
  const other = freshScope();
  const record = (key: string): MappedRecord => ({
    _source: 's',
    _idValue: key,
    values: { code: key },
    references: {},
  });
  await saveRecords(other, gadget, ['a', 'c', 'e', 'g'].map(record));
  const sort = [{ field: fieldOf(gadget, 'code'), descending: false }];
  const first = await page(other, gadget, { conditions: [], sort, limit: 2 });
  await saveRecords(other, gadget, [{ ...record('c'), deletedAt: '2026-01-01T00:00:00Z' }, record('b'), record('f')]);
  const next = await page(other, gadget, { conditions: [], sort, limit: 9, cursor: first.nextCursor ?? '' });
  expect(JSON.parse(`[${next.docs}]`).map(({ code }: { code: string }) => code)).toEqual(['e', 'f', 'g']);
});

test.each([
  ['damaged', () => 'x'],
  [
    'of another sort',
    async () => (await list({ limit: 1, sort: [{ field: fieldOf(gadget, 'name'), descending: true }] })).nextCursor,
  ],
  ['of another entity', async () => (await page(scope, maker, { conditions: [], sort: [], limit: 1 })).nextCursor],
  ['with a changed value', () => Buffer.from(JSON.stringify(['Gadget', 'id', "x'"])).toString('base64url')],
])('a cursor that is %s is refused', async (_, make) => {
  await expect(list({ cursor: String(await make()) })).rejects.toMatchObject({ code: 'SERVICE_INVALID_CURSOR' });
});

describe('a cursor with a value that no record can have is refused as a cursor:', () => {
  test.each([
    ['_updatedAt', '999999-01-01 00:00:00+00'],
    ['soldAt', '2026-13-45 00:00:00+00'],
    ['soldAt', '2026-01-01 00:00:00+99'],
    ['madeOn', '2026-02-30'],
    ['madeOn', ''],
    ['weight', '1e5'],
    ['weight', '9'.repeat(140_000)],
    ['count', 'many'],
    ['count', '9'.repeat(140_000)],
    ['isActive', 'maybe'],
    ['name', 'a\0b'],
  ])('%s, case %#', async (name, value) => {
    const position = ['Gadget', `${name},id`, value, '0199d2a4-0000-7000-8000-000000000000'];
    const cursor = Buffer.from(JSON.stringify(position)).toString('base64url');
    const sort = [{ field: fieldOf(gadget, name), descending: false }];
    const message = expect.stringContaining('The cursor is invalid');
    await expect(list({ sort, cursor })).rejects.toMatchObject({ code: 'SERVICE_INVALID_CURSOR', message });
  });
});

test('deleted records are never listed, whatever the filter', async () => {
  const other = freshScope();
  const deleted = { _source: 's', _idValue: '1', values: {}, references: {}, deletedAt: '2026-01-01T00:00:00Z' };
  await saveRecords(other, gadget, [deleted, { ...deleted, _idValue: '2', deletedAt: null }]);
  for (const conditions of [[], [condition('_deletedAt', 'neq', null)], [condition('_source', 'eq', 's')]]) {
    const { docs } = await page(other, gadget, { conditions, sort: [], limit: 9 });
    expect(docs.join()).not.toContain('"_idValue":"1"');
  }
});

test('lists cannot be sorted by lists or objects', async () => {
  for (const name of ['tags', 'owners', 'contacts', 'extra']) {
    await expect(list({ sort: [{ field: fieldOf(gadget, name), descending: false }] })).rejects.toMatchObject({
      code: 'SERVICE_INVALID_SORT',
    });
  }
});
