import type { MappedRecord, Reference } from '@unified/contract';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { fieldOf, gadget, maker } from '../../../test/gadget.ts';
import { planOf, rowsSorted } from '../../../test/plan.ts';
import { type Condition, deleteRecords, page, type Scope, saveRecords } from '../../index.ts';
import { sortKeys } from './keyset.ts';

const { admin, freshScope } = await testDatabase();
const scope = freshScope();

const MAKERS = ['Acme', 'Bolt', 'Acme', 'Cog', 'Gone'];
const maked = (index: number): Reference => ({ entity: 'Maker', by: '_idValue', value: `m${index}` });

/** Creates five makers, two of them with the same code, and gadgets that point to them in turn. */
async function fill(to: Scope, count: number): Promise<void> {
  const makers = MAKERS.map(
    (name, index): MappedRecord => ({
      _source: 'makers',
      _idValue: `m${index}`,
      values: { name: name === 'Cog' ? null : `${name} ${index}`, code: name },
      references: {},
    }),
  );
  await saveRecords(to, maker, makers);
  const gadgets = Array.from(
    { length: count },
    (_, index): MappedRecord => ({
      _source: 'gadgets',
      _idValue: `${index}`,
      values: { name: `Gadget ${index % 7}`, statusCategory: index % 2 === 0 ? 'open' : 'closed' },
      references: {
        maker: index % 6 === 5 ? null : maked(index % 6),
        owners: index % 6 < 4 ? [maked(index % 6), maked(((index % 6) + 1) % 4)] : [],
        parent: null,
      },
    }),
  );
  await saveRecords(to, gadget, gadgets);
  await deleteRecords(to, maker, 'makers', ['m4'], '2026-11-20T00:00:00Z');
}
await fill(scope, 60);
await admin.query('analyze');

const by = (relation: string, name: string, operator: Condition['operator'], value: Condition['value']): Condition => ({
  field: fieldOf(maker, name),
  through: { relation: fieldOf(gadget, relation), targets: [maker] },
  operator,
  value,
});
const numbers = (wanted: (index: number) => boolean) => Array.from({ length: 60 }, (_, index) => index).filter(wanted);
const plain = { conditions: [], sort: [], limit: 500 };

async function list(conditions: readonly Condition[], at = scope, more: object = {}) {
  const result = await page(at, gadget, { ...plain, conditions, withTotal: true, ...more });
  const records: { _idValue: string }[] = JSON.parse(`[${result.docs}]`);
  return { ...result, found: records.map(({ _idValue }) => Number(_idValue)) };
}

describe('a list filtered by a field of related records', () => {
  test.each<[string, Condition, (index: number) => boolean]>([
    ['a code that two records have', by('maker', 'code', 'eq', 'Acme'), (index) => [0, 2].includes(index % 6)],
    ['one of several codes', by('maker', 'code', 'in', ['Bolt', 'Cog']), (index) => [1, 3].includes(index % 6)],
    ['part of a name', by('maker', 'name', 'contains', 'acM'), (index) => [0, 2].includes(index % 6)],
    ['the beginning of a name', by('maker', 'name', 'startsWith', 'bo'), (index) => index % 6 === 1],
    ['the end of a label', by('maker', '_displayValue', 'endsWith', '2'), (index) => index % 6 === 2],
    ['a key', by('maker', '_idValue', 'eq', 'm3'), (index) => index % 6 === 3],
    ['no value', by('maker', 'name', 'eq', null), (index) => index % 6 === 3],
    ['a deleted record', by('maker', 'code', 'eq', 'Gone'), () => false],
    ['an unknown code', by('maker', 'code', 'eq', 'Nobody'), () => false],
    ['a list of references', by('owners', 'code', 'eq', 'Acme'), (index) => index % 6 < 4],
    ['one reference of a list', by('owners', 'code', 'eq', 'Cog'), (index) => [2, 3].includes(index % 6)],
    ['part of a code in a list', by('owners', 'code', 'contains', 'ol'), (index) => [0, 1].includes(index % 6)],
  ])('by %s', async (_, condition, wanted) => {
    const { found, total } = await list([condition]);
    expect(found).toEqual(numbers(wanted));
    expect(total).toBe(found.length);
  });

  test('and by other conditions', async () => {
    const open: Condition = { field: fieldOf(gadget, 'statusCategory'), operator: 'eq', value: 'open' };
    const both = [open, by('owners', 'code', 'eq', 'Cog'), by('maker', 'code', 'eq', 'Acme')];
    expect((await list(both)).found).toEqual(numbers((index) => index % 6 === 2));
    const two = [by('maker', 'name', 'contains', 'a'), by('maker', 'code', 'eq', 'Bolt')];
    expect((await list(two)).found).toEqual([]);
  });

  test.each([
    [[]],
    [[{ field: fieldOf(gadget, 'name'), descending: true }]],
    [[{ field: fieldOf(gadget, '_updatedAt'), descending: false }]],
  ])('has the same pages in any order %#', async (sort) => {
    const conditions = [by('maker', 'code', 'eq', 'Acme')];
    const { found } = await list(conditions, scope, { sort });
    const pages: number[] = [];
    for (let cursor: string | null = null, first = true; first || cursor !== null; first = false) {
      const next = await list(conditions, scope, { sort, limit: 7, ...(cursor !== null && { cursor }) });
      pages.push(...next.found);
      cursor = next.nextCursor;
    }
    expect(pages).toEqual(found);
    expect((await list(conditions, scope, { sort, limit: 6, offset: 9 })).found).toEqual(found.slice(9, 15));
  });

  test('of one connection never contains, or compares, records of another', async () => {
    const [one, other] = [freshScope(), freshScope()];
    await fill(one, 6);
    expect((await list([by('maker', 'code', 'eq', 'Acme')], one)).found).toEqual([0, 2]);
    expect((await list([by('maker', 'code', 'eq', 'Acme')], other)).found).toEqual([]);
    const lone: MappedRecord = { _source: 'gadgets', _idValue: '1', values: { name: 'x' }, references: {} };
    await saveRecords(other, gadget, [lone]);
    // A link to another connection, which the service never stores: row-level security hides its target.
    const [{ id }] = (
      await admin.query('select id from data.makers where connection_id = $1 and code = $2', [one.connectionId, 'Bolt'])
    ).rows;
    await admin.query('update data.gadgets set maker = $2 where connection_id = $1', [other.connectionId, id]);
    expect((await list([by('maker', 'code', 'eq', 'Bolt')], other)).found).toEqual([]);
    expect((await list([by('maker', 'code', 'contains', 'o')], other)).found).toEqual([]);
  });

  test('reads one index for the related records, and another one in order for each of them', async () => {
    const large = freshScope();
    await fill(large, 6000);
    const makers = Array.from({ length: 2000 }, (_, index): MappedRecord => {
      const values = { name: `Other ${index}`, code: `O-${index}` };
      return { _source: 'makers', _idValue: `o${index}`, values, references: {} };
    });
    await saveRecords(large, maker, makers);
    await admin.query('analyze');
    for (const name of ['code', 'name', '_idValue', '_displayValue']) {
      const conditions = [by('maker', name, 'eq', 'Bolt')];
      const plan = await planOf(admin, large, {
        entity: gadget,
        conditions,
        keys: sortKeys(gadget, []),
        position: null,
      });
      expect(plan).toMatch(/using "?gadgets_maker"?/);
      expect(plan).toMatch(/using "?makers_/);
      expect(plan).not.toContain('Seq Scan');
      expect(rowsSorted(plan)).toBeLessThanOrEqual(2 * 51);
    }
  });
});
