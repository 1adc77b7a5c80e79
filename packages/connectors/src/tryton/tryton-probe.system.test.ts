import { expect, test } from 'vitest';
import { trytonOfFile } from '../../test/running-tryton.ts';
import type { StreamUse } from '../driver.ts';
import { optionsOf } from './options.ts';

const { connection } = await trytonOfFile();
const use = (...actions: string[]): StreamUse => ({ actions, writes: new Set() });

test('a probe of each stream finds its row and every field and button, and its columns are all fields of the row', async () => {
  for (const stream of connection.platform.streams) {
    const columns = await connection.driver.discover.columns(stream);
    const { buttons = {} } = optionsOf(stream);
    const { sample, problems, notes } = await connection.driver.discover.probe(stream, use(...Object.keys(buttons)));
    const names = new Set(columns?.map(({ name }) => name));
    expect([...problems, ...notes]).toEqual([]);
    expect(Object.keys(sample?.row ?? {}).filter((name) => !names.has(name))).toEqual([]);
  }
});

test('a probe checks that the buttons of an action exist', async () => {
  const purchases = connection.stream('purchase.purchase');
  const { problems } = await connection.driver.discover.probe(
    purchases,
    use('draft', 'quote', 'confirm', 'cancel', 'aprove'),
  );
  expect(problems).toEqual(['aprove: Tryton has no button "aprove" in purchase.purchase']);
});

test('a probe reports models and fields whose module is not installed', async () => {
  const purchases = connection.stream('purchase.purchase');
  const fields = ['number', 'shipments_of_nobody'];
  const probed = await connection.driver.discover.probe({ ...purchases, options: { fields } }, use());
  expect(probed.notes).toEqual(['Tryton has no shipments_of_nobody in purchase.purchase']);
  const missing = { ...purchases, options: { model: 'payroll.slip', fields } };
  expect(await connection.driver.discover.probe(missing, use())).toMatchObject({ sample: null });
  expect(await connection.driver.discover.columns(missing)).toBeNull();
});
