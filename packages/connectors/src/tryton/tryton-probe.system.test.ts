import { expect, test } from 'vitest';
import { trytonOfFile } from '../../test/running-tryton.ts';

const { connection } = await trytonOfFile();

test('a probe of each stream finds its row, and the columns are every name that the row has', async () => {
  for (const stream of connection.platform.streams) {
    const columns = await connection.driver.columns(stream);
    const { sample, problems } = await connection.driver.probe(stream, []);
    const names = new Set(columns?.map(({ name }) => name));
    expect(problems).toEqual([]);
    expect(Object.keys(sample?.row ?? {}).filter((name) => !names.has(name))).toEqual([]);
  }
});

test('a probe proves the buttons of an action by their names', async () => {
  const purchases = connection.stream('purchase.purchase');
  const { problems } = await connection.driver.probe(purchases, ['draft', 'quote', 'confirm', 'cancel', 'aprove']);
  expect(problems).toEqual(['aprove: Tryton has no button "aprove" in purchase.purchase']);
});

test('a probe notes models and fields whose module is not installed', async () => {
  const purchases = connection.stream('purchase.purchase');
  const fields = ['number', 'shipments_of_nobody'];
  const probed = await connection.driver.probe({ ...purchases, options: { fields } }, []);
  expect(probed.notes).toEqual(['Tryton has no shipments_of_nobody in purchase.purchase']);
  const missing = { ...purchases, options: { model: 'payroll.slip', fields } };
  expect(await connection.driver.probe(missing, [])).toMatchObject({ sample: null });
  expect(await connection.driver.columns(missing)).toBeNull();
});
