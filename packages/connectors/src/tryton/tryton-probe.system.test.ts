import { afterAll, beforeAll, expect, test } from 'vitest';
import { Connection, type RunningTryton, startTryton } from '../../test/running-tryton.ts';

let tryton: RunningTryton;
let connection: Connection;

beforeAll(async () => {
  tryton = await startTryton();
  connection = new Connection(tryton);
}, 300_000);

afterAll(async () => {
  await connection?.driver.close();
  await tryton?.stop();
});

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
