import { expect, onTestFinished, test } from 'vitest';
import { Connection, trytonOfFile } from '../../test/running-tryton.ts';
import type { Json } from '../json.ts';

const { tryton, connection } = await trytonOfFile();
const { catalog } = connection.driver.discover;

async function models(limit?: number, of = catalog): Promise<string[]> {
  const names: string[] = [];
  let from: Json | null = null;
  do {
    const page: Awaited<ReturnType<typeof catalog.tables>> = await of.tables({ from, ...(limit && { limit }) });
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
  const password = 'a-Long-Guest-Word-7';
  await tryton.rpc.createOne('res.user', { name: 'Guest', login: 'guest', password });
  const { driver } = new Connection({ ...tryton, user: 'guest', password });
  onTestFinished(() => driver.close());
  const shown = await models(undefined, driver.discover.catalog);
  expect(shown).toContain('party.party');
  expect(shown).not.toContain('purchase.purchase');
  expect(await driver.discover.catalog.columns('purchase.purchase', { from: null })).toBeNull();
});
