import type { Entity, MappedRecord } from '@unified/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { fieldOf, gadget, maker } from '../../../test/gadget.ts';
import { entities, motor, part, soldGadget, wheel } from '../../../test/parts.ts';
import { planOf, rowsSorted } from '../../../test/plan.ts';
import { sessionOf } from '../../access/scope.ts';
import {
  type Condition,
  createApplication,
  createConnection,
  deleteRecords,
  documents,
  find,
  migrate,
  page,
  rewriteLinks,
  saveRecords,
} from '../../index.ts';
import { type Position, sortKeys } from './keyset.ts';

const { admin, open, freshScope } = await testDatabase();
const store = await open({ entities });
const { id: applicationId } = await createApplication(store, 'Tests');
const { id: connectionId } = await createConnection(store, {
  applicationId,
  platform: 'p',
  name: 'Tests',
  settings: {},
});
const scope = store.scope({ applicationId, connectionId });
let makerId = '';
let firstMaker = '';
let ids: Record<'wheel' | 'motor' | 'gadget', readonly string[]>;

const EACH = 3000;

function records(source: string, values: (i: number) => Record<string, unknown>): MappedRecord[] {
  return Array.from({ length: EACH }, (_, i) => ({
    _source: source,
    _idValue: `${i}`,
    values: { name: `${source} ${String(i).padStart(5, '0')}`, ...values(i) },
    references: {
      maker: { entity: 'Maker', by: '_idValue', value: `${i % 50}` },
      owners: [0, 1].map((n) => ({ entity: 'Maker', by: '_idValue', value: `${(i + n) % 50}` })),
    },
  }));
}

beforeAll(async () => {
  await migrate(store);
  const makers = Array.from({ length: 50 }, (_, i) => ({ _source: 'm', _idValue: `${i}`, values: {}, references: {} }));
  [firstMaker = '', , , , , , , makerId = ''] = (await saveRecords(scope, maker, makers)).ids;
  const save = async (entity: Entity, made: MappedRecord[]) => (await saveRecords(scope, entity, made)).ids;
  // One gadget in a hundred is sold: a list that searched all gadgets for them would read a hundred times too many
  // rows.
  ids = {
    wheel: await save(
      wheel,
      records('w', () => ({ kind: 'wheel', tags: ['round'] })),
    ),
    motor: await save(
      motor,
      records('e', () => ({ kind: 'motor', tags: ['loud'] })),
    ),
    gadget: await save(
      gadget,
      records('g', (i) => ({ isSold: i % 100 === 0 })),
    ),
  };
  await admin.query('analyze');
});

const where = (of: Entity, name: string, operator: Condition['operator'], value: Condition['value']): Condition => ({
  field: fieldOf(of, name),
  operator,
  value,
});

async function list(entity: Entity, conditions: Condition[] = [], sort: [string, boolean][] = [], limit = 500) {
  const order = sort.map(([name, descending]) => ({ field: fieldOf(entity, name), descending }));
  const { docs, total } = await page(scope, entity, { conditions, sort: order, limit, withTotal: true });
  return { total, records: JSON.parse(`[${docs}]`) as Record<string, unknown>[] };
}

describe('a view', () => {
  test('of one entity contains the records that have its values, unchanged', async () => {
    const { total, records: shown } = await list(soldGadget);
    expect(total).toBe(EACH / 100);
    expect(new Set(shown.map((record) => record.isSold))).toEqual(new Set([true]));
    expect(shown[0]?._implements).toEqual(['Entity', 'Gadget']);
  });

  test('of several contains the records of all, in one order', async () => {
    const { total, records: shown } = await list(part, [], [['name', true]]);
    expect(total).toBe(2 * EACH);
    const names = (await list(part, [], [['name', false]], 2 * EACH)).records.map(({ name }) => name);
    expect(names).toEqual(names.toSorted());
    expect(new Set(names).size).toBe(2 * EACH);
    expect(shown[0]?.name).toBe('w 02999');
  });

  test('is filtered like a table, including by the field that distinguishes its members', async () => {
    expect((await list(part, [where(part, 'kind', 'eq', 'motor')])).total).toBe(EACH);
    expect((await list(part, [where(part, '_implements', 'eq', 'Wheel')])).total).toBe(EACH);
    expect((await list(part, [where(part, 'tags', 'eq', 'loud')])).total).toBe(EACH);
    expect((await list(part, [where(part, 'maker', 'eq', makerId)])).total).toBe((2 * EACH) / 50);
    expect((await list(part, [where(part, 'owners', 'eq', makerId)])).total).toBe((4 * EACH) / 50);
    expect((await list(soldGadget, [where(soldGadget, 'owners', 'eq', makerId)])).total).toBe(0);
    expect((await list(soldGadget, [where(soldGadget, 'owners', 'eq', firstMaker)])).total).toBe(EACH / 100);
    expect((await list(soldGadget, [where(soldGadget, 'isSold', 'eq', false)])).total).toBe(0);
  });

  test('is read to its end by cursor', async () => {
    const seen: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const order = [{ field: fieldOf(part, 'name'), descending: false }];
      const read = await page(scope, part, { conditions: [], sort: order, limit: 499, ...(cursor && { cursor }) });
      seen.push(...(JSON.parse(`[${read.docs}]`) as { id: string }[]).map(({ id }) => id));
      cursor = read.nextCursor;
    }
    expect(seen.toSorted()).toEqual([...ids.wheel, ...ids.motor].toSorted());
  });

  test('returns a record by id, but none outside of the view', async () => {
    const [inside = '', outside = ''] = ids.gadget;
    expect(JSON.parse((await find(scope, soldGadget, inside)) ?? '')).toMatchObject({ id: inside });
    expect(await find(scope, soldGadget, outside)).toBeUndefined();
    const found = await documents(scope, part, [ids.wheel[0] ?? '', ids.motor[0] ?? '', inside]);
    expect([...found.keys()].toSorted()).toEqual([ids.wheel[0], ids.motor[0]].toSorted());
  });

  test('contains only the rows of the connection of a tenant, and none without a connection', async () => {
    const other = store.scope(freshScope());
    await saveRecords(other, wheel, records('w', () => ({ kind: 'wheel' })).slice(0, 1));
    const all = 'select distinct connection_id from data.parts';
    expect(await sessionOf(other).run(all)).toEqual([{ connection_id: other.connectionId }]);
    expect(await sessionOf(scope).run(all)).toEqual([{ connection_id: scope.connectionId }]);
    expect(await sessionOf(other).run('select from data.sold_gadgets')).toEqual([]);
    await admin.query('set role unified_tenant');
    expect((await admin.query(all)).rows).toEqual([]);
    await admin.query('reset role');
  });

  test('accepts no records', async () => {
    await expect(saveRecords(scope, soldGadget, records('x', () => ({})).slice(0, 1))).rejects.toThrow(
      'permission denied for view sold_gadgets',
    );
  });

  test('does not list deleted records, and returns them by id', async () => {
    const [, , , , last = ''] = ids.wheel;
    await deleteRecords(scope, wheel, 'w', ['4'], '2026-01-01T00:00:00Z');
    expect((await list(part, [where(part, 'id', 'eq', last)])).total).toBe(0);
    expect(await find(scope, part, last)).toContain('"_deletedAt":"2026');
  });
});

/** The plan of a list of `entity`. */
function plan(entity: Entity, conditions: Condition[], sort: [string, boolean][], position: Position | null) {
  const order = sort.map(([name, descending]) => ({ field: fieldOf(entity, name), descending }));
  return planOf(admin, scope, { entity, conditions, keys: sortKeys(entity, order), position });
}

const id = '0199d2a4-6c1e-7a53-9f0b-3f1c2d4e5a6b';

describe('is read in order from indexes:', () => {
  test.each<[string, Entity, () => [Condition[], [string, boolean][], Position | null], RegExp[]]>([
    ['the list of a part of a table', soldGadget, () => [[], [], null], [/using sold_gadgets_\w{8}/]],
    ['the same from a cursor', soldGadget, () => [[], [], [id]], [/using sold_gadgets_\w{8}/]],
    ['the list of two tables', part, () => [[], [], null], [/using wheels_pkey/, /using motors_pkey/]],
    ['the same from a cursor', part, () => [[], [], [id]], [/using wheels_pkey/, /using motors_pkey/]],
    [
      'a sorted list of two tables from a cursor',
      part,
      () => [[], [['name', false]], ['w 00500', id]],
      [/using wheels_name/, /using motors_name/],
    ],
    [
      'a list of two tables by relation',
      part,
      () => [[where(part, 'maker', 'eq', makerId)], [], null],
      [/using wheels_maker/, /using motors_maker/],
    ],
    [
      'a list of two tables by a list of references',
      part,
      () => [[where(part, 'owners', 'eq', makerId)], [], null],
      [/using links_pkey/, /using wheels_pkey/, /using motors_pkey/, /id = ANY/],
    ],
    [
      'a list of part of a table, filtered by a list of references',
      soldGadget,
      () => [[where(soldGadget, 'owners', 'eq', makerId)], [], null],
      [/using links_pkey/, /id = link\.id/],
    ],
  ])('%s', async (_, entity, query, indexes) => {
    const text = await plan(entity, ...query());
    for (const index of indexes) expect(text).toMatch(index);
    expect(text).not.toContain('Seq Scan');
    expect(rowsSorted(text)).toBeLessThanOrEqual(2 * 51);
    if (entity === part && !text.includes('links')) expect(text).toContain('Merge Append');
  });
});

describe('migrate', () => {
  test('updates a view when its definition or the columns that it reads change', async () => {
    const shown = { ...soldGadget, view: [{ entity: 'Gadget', where: { isSold: false } }] };
    const grown = await open({ entities: { ...entities, SoldGadget: shown } });
    await migrate(grown);
    const { docs } = await page(grown.scope(scope), shown, { conditions: [], sort: [], limit: 1 });
    expect(JSON.parse(docs[0] ?? '')).toMatchObject({ isSold: false });
    await migrate(store);
    expect((await list(soldGadget)).total).toBe(EACH / 100);
  });

  test('removes a view that the contract no longer has', async () => {
    const { SoldGadget, ...others } = entities;
    await migrate(await open({ entities: others }));
    const { rows } = await admin.query(`select relname from pg_class where relkind = 'v' and relname = any($1)`, [
      [SoldGadget.table, part.table],
    ]);
    expect(rows).toEqual([{ relname: 'parts' }]);
    await migrate(store);
  });
});

test('links of records are rewritten to a new address only once, in the tables that store them', async () => {
  await rewriteLinks(store);
  const moved = await open({ entities, publicUrl: 'https://moved.test' });
  expect(await rewriteLinks(moved)).toBe(3 * EACH);
  const text = await find(moved.scope(scope), part, ids.motor[0] ?? '');
  expect(text).toContain('"href":"https://moved.test/v4/makers/');
});
