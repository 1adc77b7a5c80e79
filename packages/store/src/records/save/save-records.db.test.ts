import { type MappedRecord, type Reference, ServiceError } from '@unified/contract';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { fieldOf, gadget, maker } from '../../../test/gadget.ts';
import {
  changesAfter,
  createApplication,
  createConnection,
  deleteRecords,
  documents,
  expandRenamed,
  find,
  latestChange,
  page,
  recordsToRederive,
  rewriteLinks,
  type Scope,
  saveRecords,
  targets,
} from '../../index.ts';

const { admin, freshScope, open, store } = await testDatabase();

const record = (key: string, values: Record<string, unknown> = {}, more: Partial<MappedRecord> = {}): MappedRecord => ({
  _source: 'stream',
  _idValue: key,
  values: { _createdAt: '2026-01-01T00:00:00Z', _updatedAt: '2026-01-02T00:00:00Z', ...values },
  references: {},
  ...more,
});
const to = (value: string, by: Reference['by'] = '_idValue', entity = 'Maker'): Reference => ({ entity, by, value });

async function read(scope: Scope, id: string | undefined) {
  const doc = await find(scope, gadget, id ?? '');
  return doc === undefined ? undefined : JSON.parse(doc);
}

async function changes(scope: Scope) {
  return (await changesAfter(scope, '0', 1000)).changes.map(({ entity, kind, fields }) => ({ entity, kind, fields }));
}

describe('the rendered document', () => {
  test('has the fields of the contract in its order; a field without a value is null or, if null is not allowed, absent', async () => {
    const scope = freshScope();
    const { ids } = await saveRecords(scope, gadget, [record('7')]);
    const doc = await find(scope, gadget, ids[0] ?? '');
    const absent = ['remark', 'isSold', 'owners', 'tags', 'contacts', 'parts'];
    const names = gadget.fields.map(({ name }) => name);
    expect(Object.keys(JSON.parse(doc ?? ''))).toEqual(names.filter((name) => !absent.includes(name)));
    expect(JSON.parse(doc ?? '')).toEqual({
      id: ids[0],
      code: '7',
      _source: 'stream',
      _idValue: '7',
      _displayValue: '7',
      _updatedAt: '2026-01-02T00:00:00Z',
      _createdAt: '2026-01-01T00:00:00Z',
      _deletedAt: null,
      _implements: ['Entity', 'Gadget'],
      name: null,
      weight: null,
      count: null,
      isActive: null,
      madeOn: null,
      soldAt: null,
      statusCategory: null,
      maker: null,
      parent: null,
      aliases: null,
      visits: null,
      extra: null,
      availableActions: null,
      origin: null,
      customFields: {},
    });
  });

  test('contains each kind of value as mapped', async () => {
    const scope = freshScope();
    const values = {
      name: 'Näme "x"',
      weight: '358.50',
      count: 3,
      isActive: true,
      madeOn: '2026-11-20',
      soldAt: '2026-11-20T10:00:00+01:00',
      statusCategory: 'open',
      tags: ['a', 'b'],
      contacts: [{ type: 'email', value: 'a@acme.example' }, { value: '"x"' }],
      visits: [],
      extra: { deep: [1, { name: 'n' }] },
    };
    const { ids } = await saveRecords(scope, gadget, [record('7', values)]);
    expect(await read(scope, ids[0])).toMatchObject({ ...values, weight: 358.5, _displayValue: 'Näme "x"' });
  });

  test('contains references with id, labels, kind and address', async () => {
    const scope = freshScope();
    const { ids: makers } = await saveRecords(scope, maker, [
      record('m', { name: 'Acme' }),
      record('n', { name: 'Bolt' }),
    ]);
    const references = { maker: to('m'), owners: [to('n'), to('Acme', '_displayValue')] };
    const { ids } = await saveRecords(scope, gadget, [record('7', {}, { references })]);
    const link = (index: number, key: string, label: string) => ({
      id: makers[index],
      _idValue: key,
      _displayValue: label,
      rel: 'Maker',
      href: `https://api.test/v4/makers/${makers[index]}`,
    });
    expect(await read(scope, ids[0])).toMatchObject({
      maker: link(0, 'm', 'Acme'),
      owners: [link(1, 'n', 'Bolt'), link(0, 'm', 'Acme')],
    });
  });

  test('contains references within objects like its own, empty if no record or several match', async () => {
    const scope = freshScope();
    const { ids: makers } = await saveRecords(scope, maker, [
      record('m', { name: 'Acme' }),
      record('n', { code: 'X' }),
      record('o', { code: 'X' }),
    ]);
    const parts = [
      { count: 2, maker: to('m'), owners: [to('Acme', '_displayValue'), to('missing')] },
      { count: 3, maker: to('X', 'code'), owners: [] },
      { count: 4, maker: null },
    ];
    const { ids } = await saveRecords(scope, gadget, [record('7', { parts, origin: { city: 'Ulm', maker: to('m') } })]);
    const acme = {
      ...{ id: makers[0], _idValue: 'm', _displayValue: 'Acme', rel: 'Maker' },
      href: `https://api.test/v4/makers/${makers[0]}`,
    };
    expect(await read(scope, ids[0])).toMatchObject({
      parts: [
        { count: 2, maker: acme, owners: [acme] },
        { count: 3, maker: null, owners: [] },
        { count: 4, maker: null },
      ],
      origin: { city: 'Ulm', maker: acme },
    });
  });

  test('may refer to records of the same batch', async () => {
    const scope = freshScope();
    const child = record('child', {}, { references: { parent: to('parent', '_idValue', 'Gadget') } });
    const { ids } = await saveRecords(scope, gadget, [child, record('parent', { name: 'P' })]);
    expect((await read(scope, ids[0])).parent).toMatchObject({ id: ids[1], _displayValue: 'P' });
  });

  test('leaves a reference empty that matches several records', async () => {
    const scope = freshScope();
    await saveRecords(scope, maker, [record('1', { code: 'X' }), record('2', { code: 'X' })]);
    const { ids } = await saveRecords(scope, gadget, [record('7', {}, { references: { maker: to('X', 'code') } })]);
    expect((await read(scope, ids[0])).maker).toBeNull();
  });

  test('supports values that columns cannot store: NUL, lone surrogates, long texts, impossible dates', async () => {
    const scope = freshScope();
    const remark = `${'long '.repeat(2000)}end`;
    const name = `a\0b\ud800${'x'.repeat(5000)}`;
    const values = { name, remark, madeOn: 'soon', weight: 'heavy', code: 'c'.repeat(4000) };
    const { ids } = await saveRecords(scope, gadget, [record('7', values)]);
    const stored = await read(scope, ids[0]);
    expect(stored).toMatchObject({ name: values.name, madeOn: 'soon', weight: null });
    const listed = await page(scope, gadget, {
      conditions: [{ field: fieldOf(gadget, 'name'), operator: 'startsWith', value: 'ab' }],
      sort: [],
      limit: 1,
    });
    expect(listed.count).toBe(1);
  });

  test('a long text is searched to its end, and a list sorted by it can be continued', async () => {
    const scope = freshScope();
    const remark = (end: string) => ({ remark: `${'long '.repeat(2000)}${end}` });
    await saveRecords(scope, gadget, [
      record('1', remark('one')),
      record('2', remark('two')),
      record('3', { remark: 'a' }),
    ]);
    const query = { conditions: [], sort: [{ field: fieldOf(gadget, 'remark'), descending: false }], limit: 1 };
    const first = await page(scope, gadget, query);
    expect(first.nextCursor?.length).toBeLessThan(2000);
    const second = await page(scope, gadget, { ...query, cursor: first.nextCursor ?? '' });
    const last = await page(scope, gadget, { ...query, cursor: second.nextCursor ?? '' });
    const found = [first, second, last].map(({ docs }) => JSON.parse(docs[0] ?? '')._idValue);
    expect(found).toEqual(['3', '1', '2']);
    const ends = { field: fieldOf(gadget, 'remark'), operator: 'endsWith' as const, value: 'two' };
    expect((await page(scope, gadget, { ...query, conditions: [ends] })).count).toBe(1);
  });
});

describe('saving again', () => {
  test('keeps ids, by source and key', async () => {
    const scope = freshScope();
    const first = await saveRecords(scope, gadget, [record('1'), record('2')]);
    const other = await saveRecords(scope, gadget, [record('1', {}, { _source: 'other' })]);
    const again = await saveRecords(scope, gadget, [record('2', { name: 'new' }), record('1')]);
    expect(again.ids).toEqual([first.ids[1], first.ids[0]]);
    expect(first.ids).not.toContain(other.ids[0]);
  });

  test('logs created records, changed fields and deleted records, and nothing for unchanged ones', async () => {
    const scope = freshScope();
    await saveRecords(scope, gadget, [record('1', { name: 'a', tags: ['x'], extra: { tags: 1 } }), record('2')]);
    const saved = await saveRecords(scope, gadget, [
      record('1', { name: 'b', tags: ['x', 'y'], extra: { tags: 1 } }),
      record('2'),
    ]);
    expect(saved).toMatchObject({ created: 0, updated: 1, deleted: 0, unchanged: 1 });
    await saveRecords(scope, gadget, [record('2', {}, { deletedAt: '2026-02-01T00:00:00Z' })]);
    expect(await changes(scope)).toEqual([
      { entity: 'Gadget', kind: 'created', fields: [] },
      { entity: 'Gadget', kind: 'created', fields: [] },
      { entity: 'Gadget', kind: 'updated', fields: ['_displayValue', 'name', 'tags'] },
      { entity: 'Gadget', kind: 'deleted', fields: ['_deletedAt'] },
    ]);
  });

  test('targets within objects are compared as well: an unchanged list is not a change', async () => {
    const scope = freshScope();
    await saveRecords(scope, maker, [record('m'), record('n')]);
    const save = (key: string) => saveRecords(scope, gadget, [record('1', { parts: [{ count: 1, maker: to(key) }] })]);
    await save('m');
    expect(await save('m')).toMatchObject({ unchanged: 1 });
    expect(await save('n')).toMatchObject({ updated: 1 });
    expect((await changes(scope)).at(-1)).toEqual({ entity: 'Gadget', kind: 'updated', fields: ['parts'] });
  });

  test('a deleted record that reappears is created again, with its old id', async () => {
    const scope = freshScope();
    const { ids } = await saveRecords(scope, gadget, [record('1')]);
    expect(await deleteRecords(scope, gadget, 'stream', ['1', 'unknown'], '2026-02-01T00:00:00Z')).toBe(1);
    expect(await deleteRecords(scope, gadget, 'stream', ['1'], '2026-03-01T00:00:00Z')).toBe(0);
    expect(await read(scope, ids[0])).toMatchObject({ _deletedAt: '2026-02-01T00:00:00Z' });
    const back = await saveRecords(scope, gadget, [record('1')]);
    expect(back.ids).toEqual(ids);
    expect((await changes(scope)).map(({ kind }) => kind)).toEqual(['created', 'deleted', 'created']);
  });

  test('a deleted record no longer has actions', async () => {
    const scope = freshScope();
    const { ids } = await saveRecords(scope, gadget, [record('1', { availableActions: ['start', 'cancel'] })]);
    expect(await read(scope, ids[0])).toMatchObject({ availableActions: ['start', 'cancel'] });
    await deleteRecords(scope, gadget, 'stream', ['1'], '2026-02-01T00:00:00Z');
    expect(await read(scope, ids[0])).toMatchObject({ availableActions: [] });
  });

  test('a record that was already deleted when first read is stored but not logged', async () => {
    const scope = freshScope();
    const { ids } = await saveRecords(scope, gadget, [record('1', {}, { deletedAt: '2026-02-01T00:00:00Z' })]);
    expect(await read(scope, ids[0])).toMatchObject({ _deletedAt: '2026-02-01T00:00:00Z' });
    expect(await changes(scope)).toEqual([]);
  });

  test('timestamps that the system does not have are those of the first read and the last change', async () => {
    const scope = freshScope();
    const untold = (name: string) => ({ ...record('1'), values: { name } });
    const { ids } = await saveRecords(scope, gadget, [untold('a')]);
    const first = await read(scope, ids[0]);
    expect(await saveRecords(scope, gadget, [untold('a')])).toMatchObject({ unchanged: 1 });
    await saveRecords(scope, gadget, [untold('b')]);
    const last = await read(scope, ids[0]);
    expect(last._createdAt).toBe(first._createdAt);
    expect(Date.parse(last._updatedAt)).toBeGreaterThan(Date.parse(first._updatedAt));
  });

  test('clears the columns of values that a record no longer has', async () => {
    const scope = freshScope();
    await saveRecords(scope, gadget, [record('1', { weight: 5, name: 'Heavy' }), record('2', { weight: 5 })]);
    await saveRecords(scope, gadget, [record('1', {}), record('2', {})]);
    const isMissing = (name: string) => ({ field: fieldOf(gadget, name), operator: 'eq', value: null }) as const;
    const conditions = [isMissing('weight'), isMissing('name')];
    expect((await page(scope, gadget, { conditions, sort: [], limit: 9 })).count).toBe(2);
  });

  test('stores the same columns whether a record is new or changed, and whichever fields changed', async () => {
    const changed = freshScope();
    const states = [
      record('0', { name: 'a', weight: 1, count: 2, isActive: true, tags: ['x'], customFields: { size: 1 } }),
      record('0', { name: 'b', madeOn: '2026-02-01', soldAt: '2026-02-28', aliases: [], customFields: {} }),
      record('0', { code: 'C', isSold: false, tags: [], remark: 'r'.repeat(900) }, { references: { maker: to('m') } }),
      record('0', {}, { references: { owners: [to('m'), to('n')] } }),
      record('0', { statusCategory: 'open' }, { deletedAt: '2026-03-01T00:00:00Z' }),
    ];
    const shifted = (by: number) =>
      states.map((_, index) => ({ ...(states[(index + by) % states.length] as MappedRecord), _idValue: `${index}` }));
    await saveRecords(changed, maker, [record('m'), record('n')]);
    const columnsOf = async ({ connectionId }: Scope) => {
      const { rows } = await admin.query<{ columns: string }>(
        `select (to_jsonb(g) - '{id,connection_id,doc,version,maker,owners}'::text[])::text || (maker is null)
                || coalesce(cardinality(owners), -1) as columns
           from data.gadgets g where connection_id = $1 order by "_idValue"`,
        [connectionId],
      );
      return rows.map(({ columns }) => columns);
    };
    for (let by = 0; by <= states.length; by++) {
      await saveRecords(changed, gadget, shifted(by));
      const alone = freshScope();
      await saveRecords(alone, maker, [record('m'), record('n')]);
      await saveRecords(alone, gadget, shifted(by));
      expect(await columnsOf(changed)).toEqual(await columnsOf(alone));
    }
  });

  test('of two records with the same key in a batch, the later one is stored', async () => {
    const scope = freshScope();
    const { ids } = await saveRecords(scope, gadget, [record('1', { name: 'a' }), record('1', { name: 'b' })]);
    expect(ids[0]).toBe(ids[1]);
    expect(await read(scope, ids[0])).toMatchObject({ name: 'b' });
  });

  test('records that need several batches are all logged', async () => {
    const scope = freshScope();
    const many = Array.from({ length: 2300 }, (_, i) => record(`${i}`));
    expect(await saveRecords(scope, gadget, many)).toMatchObject({ created: 2300 });
    expect(await latestChange(scope)).toBe('2300');
    expect(await saveRecords(scope, gadget, many)).toMatchObject({ unchanged: 2300 });
  });

  test('a failed transaction stores nothing', async () => {
    const scope = freshScope();
    const failing = scope.transaction(async (inner) => {
      await saveRecords(inner, gadget, [record('1')]);
      throw new Error('later step');
    });
    await expect(failing).rejects.toThrow('later step');
    expect((await page(scope, gadget, { conditions: [], sort: [], limit: 9 })).count).toBe(0);
    expect(await changes(scope)).toEqual([]);
  });
});

test('a record is found by the current targets of its list of references, and only once', async () => {
  const scope = freshScope();
  const [m = '', n = ''] = (await saveRecords(scope, maker, [record('m'), record('n')])).ids;
  const found = async (operator: 'eq' | 'in', value: string | string[]) => {
    const conditions = [{ field: fieldOf(gadget, 'owners'), operator, value }];
    return (await page(scope, gadget, { conditions, sort: [], limit: 9 })).count;
  };
  const save = (...owners: string[]) =>
    saveRecords(scope, gadget, [record('1', {}, { references: { owners: owners.map((key) => to(key)) } })]);
  await save('m', 'm');
  expect([await found('eq', m), await found('eq', n), await found('in', [m, n])]).toEqual([1, 0, 1]);
  await save('m', 'n');
  expect([await found('eq', m), await found('eq', n), await found('in', [m, n])]).toEqual([1, 1, 1]);
  await save('n');
  expect([await found('eq', m), await found('eq', n), await found('in', [m])]).toEqual([0, 1, 0]);
  await save();
  expect([await found('eq', n), await found('in', [m, n])]).toEqual([0, 0]);
});

describe('records that must be derived again', () => {
  test('are those whose target arrives later, found by key, code or label', async () => {
    const scope = freshScope();
    await saveRecords(scope, gadget, [
      record('1', {}, { references: { maker: to('m') } }),
      record('2', {}, { references: { maker: to('M-1', 'code') } }),
      record('3', {}, { references: { owners: [to('Acme', '_displayValue')] } }),
      record('4', {}, { references: { maker: to('another') } }),
      record('5', { parts: [{ maker: to('another') }, { maker: to('M-1', 'code') }] }),
      record('6', { origin: { maker: to('m') } }),
    ]);
    expect(await recordsToRederive(scope, 10)).toEqual([]);
    await saveRecords(scope, maker, [record('m', { name: 'Acme', code: 'M-1' })]);
    const [stale] = await recordsToRederive(scope, 10);
    expect(stale?.stream).toBe('stream');
    expect(stale?.keys.sort()).toEqual(['1', '2', '3', '5', '6']);
    expect(await recordsToRederive(scope, 10)).toEqual([]);
  });

  test('are those with an outdated label', async () => {
    const scope = freshScope();
    await saveRecords(scope, maker, [record('m', { name: 'Acme' }), record('n', { name: 'Bolt' })]);
    const rows = [
      record('1', {}, { references: { maker: to('m') } }),
      record('2', {}, { references: { owners: [to('n'), to('m')] } }),
      record('3', {}, { references: { maker: to('n') } }),
      record('4', { parts: [{ maker: to('n') }, { owners: [to('n'), to('m')] }] }),
      record('5', { origin: { maker: to('m') } }),
      record('6', { parts: [{ maker: to('n') }] }),
    ];
    const { ids } = await saveRecords(scope, gadget, rows);
    await saveRecords(scope, maker, [record('m', { name: 'Acme Inc' })]);
    await expandRenamed(scope);
    const [stale] = await recordsToRederive(scope, 10);
    expect(stale?.keys.sort()).toEqual(['1', '2', '4', '5']);
    await saveRecords(scope, gadget, rows);
    expect((await read(scope, ids[0])).maker._displayValue).toBe('Acme Inc');
    expect((await read(scope, ids[3])).parts[1].owners[1]._displayValue).toBe('Acme Inc');
  });

  test('are not those whose objects no longer point to it', async () => {
    const scope = freshScope();
    await saveRecords(scope, maker, [record('m'), record('n')]);
    await saveRecords(scope, gadget, [record('1', { parts: [{ maker: to('m') }, { maker: to('n') }] })]);
    await saveRecords(scope, gadget, [record('1', { parts: [{ maker: to('n') }] })]);
    await saveRecords(scope, maker, [record('m', { name: 'Acme' })]);
    await expandRenamed(scope);
    expect(await recordsToRederive(scope, 10)).toEqual([]);
    await saveRecords(scope, maker, [record('n', { name: 'Bolt' })]);
    await expandRenamed(scope);
    expect(await recordsToRederive(scope, 10)).toEqual([{ stream: 'stream', keys: ['1'] }]);
  });

  test('lose a deleted target that they refer to by code, and keep one that they refer to by key', async () => {
    const scope = freshScope();
    const { ids: makers } = await saveRecords(scope, maker, [record('m', { code: 'M-1' })]);
    const parts = [{ maker: to('M-1', 'code') }, { maker: to('m') }];
    const row = record('1', { parts }, { references: { maker: to('M-1', 'code'), owners: [to('m')] } });
    await saveRecords(scope, gadget, [row]);
    await deleteRecords(scope, maker, 'stream', ['m'], '2026-02-01T00:00:00Z');
    const { ids } = await saveRecords(scope, gadget, [row]);
    const kept = { id: makers[0] };
    expect(await read(scope, ids[0])).toMatchObject({
      ...{ maker: null, owners: [kept] },
      parts: [{ maker: null }, { maker: kept }],
    });
  });

  test('are returned again if the transaction that saves them fails', async () => {
    const scope = freshScope();
    await saveRecords(scope, gadget, [record('1', {}, { references: { maker: to('m') } })]);
    await saveRecords(scope, maker, [record('m')]);
    const failing = scope.transaction(async (inner) => {
      expect(await recordsToRederive(inner, 10)).toHaveLength(1);
      throw new Error('mapping failed');
    });
    await expect(failing).rejects.toThrow('mapping failed');
    expect(await recordsToRederive(scope, 10)).toEqual([{ stream: 'stream', keys: ['1'] }]);
  });
});

describe('the change log', () => {
  test('has no gaps for a reader while several transactions commit in an order other than the one in which they began', async () => {
    const scope = freshScope();
    const seen: number[] = [];
    let cursor = '0';
    let writing = true;
    const reader = (async () => {
      while (writing || seen.length < 400) {
        const next = await changesAfter(scope, cursor, 1000);
        seen.push(...next.changes.map(({ seq }) => seq));
        cursor = next.cursor;
      }
    })();
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let i = 0; i < 10; i++) {
        const batch = Array.from({ length: 5 }, (_, n) => record(`${writer}-${i}-${n}`));
        await scope.transaction(async (inner) => {
          await saveRecords(inner, gadget, batch);
          await changesAfter(inner, '0', 1);
        });
      }
    });
    await Promise.all(writers);
    writing = false;
    await reader;
    expect(seen).toEqual(Array.from({ length: 400 }, (_, i) => i + 1));
  });

  test('is read page by page', async () => {
    const scope = freshScope();
    await saveRecords(
      scope,
      gadget,
      ['1', '2', '3'].map((key) => record(key)),
    );
    const first = await changesAfter(scope, '0', 2);
    expect(first).toMatchObject({ cursor: '2', hasMore: true });
    const rest = await changesAfter(scope, first.cursor, 2);
    expect(rest).toMatchObject({ cursor: '3', hasMore: false });
    expect(await changesAfter(scope, rest.cursor, 2)).toEqual({ changes: [], cursor: '3', hasMore: false });
  });
});

test('documents and targets are found by id, code, label and system id', async () => {
  const scope = freshScope();
  const { ids } = await saveRecords(scope, maker, [
    record('m', { name: 'Acme', code: 'M-1' }),
    record('n', { name: 'Acme' }),
  ]);
  const docs = await documents(scope, maker, [...ids, 'no uuid', '00000000-0000-7000-8000-000000000000']);
  expect([...docs.keys()].sort()).toEqual([...ids].sort());
  expect((await targets(scope, maker, '_displayValue', ['Acme'])).map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(await targets(scope, maker, 'code', ['M-1'])).toMatchObject([{ id: ids[0], _idValue: 'm', entity: 'Maker' }]);
  expect(await targets(scope, maker, 'id', ['no uuid'])).toEqual([]);
});

test('a reference to an unknown entity is an error in the platform', async () => {
  const saving = saveRecords(freshScope(), gadget, [
    record('1', {}, { references: { maker: to('m', '_idValue', 'Nothing') } }),
  ]);
  await expect(saving).rejects.toThrow(ServiceError);
});

test('a new public URL is written into the references of stored documents', async () => {
  const { id: applicationId } = await createApplication(store, 'app');
  const { id } = await createConnection(store, { applicationId, platform: 'p', name: 'n', settings: {} });
  const connection = { applicationId, connectionId: id };
  await rewriteLinks(store);
  const scope = store.scope(connection);
  await saveRecords(scope, maker, [record('m', { name: '"href":"https://api.test/v4/' })]);
  const { ids } = await saveRecords(scope, gadget, [
    record('1', { parts: [{ maker: to('m') }] }, { references: { maker: to('m') } }),
    record('2'),
  ]);
  const moved = await open({ publicUrl: 'http://localhost:9000' });
  expect(await rewriteLinks(moved)).toBeGreaterThan(0);
  expect(await rewriteLinks(moved)).toBe(0);
  const doc = await read(moved.scope(connection), ids[0]);
  expect(doc.maker.href).toMatch(/^http:\/\/localhost:9000\/v4\/makers\//);
  expect(doc.parts[0].maker.href).toBe(doc.maker.href);
  expect(doc.maker._displayValue).toBe('"href":"https://api.test/v4/');
  await rewriteLinks(store);
});
