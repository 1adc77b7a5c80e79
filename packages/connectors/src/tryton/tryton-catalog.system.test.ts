import { expect, test } from 'vitest';
import { trytonOfFile } from '../../test/running-tryton.ts';
import type { Json } from '../json.ts';

const { tryton, connection } = await trytonOfFile();
const { catalog } = connection.driver.discover;

async function models(limit?: number): Promise<string[]> {
  const names: string[] = [];
  let from: Json | null = null;
  do {
    const page: Awaited<ReturnType<typeof catalog.tables>> = await catalog.tables({ from, ...(limit && { limit }) });
    names.push(...page.items.map(({ name }) => name));
    from = page.next;
  } while (from !== null);
  return names;
}

test('models are listed with their labels, without the forms of wizards', async () => {
  const { items } = await catalog.tables({ from: null });
  const found = new Map(items.map((table) => [table.name, table]));
  expect(found.get('party.party')).toMatchObject({
    ...{ label: 'Party', kind: 'model', estimatedRows: null, primaryKey: ['id'] },
  });
  expect(found.has('ir.module.activate_upgrade.start')).toBe(false);
  for (const { model } of connection.platform.streams.map(({ name }) => ({ model: name }))) {
    if (model.includes('.')) expect([...found.keys()]).toContain(model);
  }
});

test('models are read page by page, each once', async () => {
  const whole = await models();
  expect(new Set(whole).size).toBe(whole.length);
  expect(await models(50)).toEqual(whole);
});

test('fields have label, type, target, and whether they are required', async () => {
  const page = await catalog.columns('party.party', { from: null });
  const fields = new Map(page?.items.map((field) => [field.name, field]));
  expect(fields.get('id')).toMatchObject({ type: 'integer', keyPosition: 1 });
  expect(fields.get('code')).toMatchObject({ label: 'Code', type: 'char', nullable: false, keyPosition: null });
  expect(fields.get('lang')).toMatchObject({ type: 'many2one ir.lang', nullable: true });
  expect(await catalog.columns('party.partie', { from: null })).toBeNull();
  const short = await catalog.columns('party.party', { from: null, limit: 3 });
  const rest = await catalog.columns('party.party', { from: short?.next ?? null });
  expect([...(short?.items ?? []), ...(rest?.items ?? [])]).toEqual(page?.items);
});

test('a model that the user must not read is not shown', async () => {
  const { id } = await tryton.rpc.one('ir.model', [['model', '=', 'party.category']], ['id']);
  await tryton.rpc.createOne('ir.model.access', {
    ...{ model: Number(id), group: null, perm_read: false },
    ...{ perm_write: false, perm_create: false, perm_delete: false },
  });
  const others = await tryton.rpc.search('ir.model.access', [['model.model', '=', 'party.category']], ['perm_read']);
  for (const { id } of others) await tryton.rpc.write('ir.model.access', Number(id), { perm_read: false });
  expect(await models()).not.toContain('party.category');
  expect(await catalog.columns('party.category', { from: null })).toBeNull();
});
