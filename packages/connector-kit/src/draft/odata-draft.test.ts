import { fileURLToPath } from 'node:url';
import { draftMapping, loadPlatform, openDriver } from '@unified/connectors';
import { entities } from '@unified/contract';
import { expect, test } from 'vitest';
import { startOrderService } from '../../../connectors/test/odata/order-service.ts';
import { mappingText, streamText } from './draft-text.ts';

const platform = loadPlatform(fileURLToPath(new URL('../../templates/odata', import.meta.url)));
const orders = { table: 'Orders', entity: entities.SalesOrder };
const lines = { table: 'Lines', entity: entities.SalesOrderLine };

/** The draft of the orders of a service, for which these tables are drafted at the same time. */
async function drafted(planned: readonly (typeof orders)[]) {
  const settings = { url: (await startOrderService([])).url, allowPrivateHosts: true };
  const driver = openDriver(platform, settings);
  const page = await driver.discover?.catalog?.columns('Orders', { from: null }).finally(() => driver.close());
  return draftMapping({ platform, settings, planned }, orders.entity, { name: 'Orders', columns: page?.items ?? [] });
}

test('lines whose set is drafted at the same time are read with their document', async () => {
  const draft = await drafted([orders, lines]);
  expect(streamText(draft)).toContain('\n  options: { expand: [lines] }\n');
  expect(mappingText(draft)).toContain(
    '\n  lines: { refs: { entity: SalesOrderLine, by: _idValue, each: lines, value: { key: [order_number, position] } } }\n',
  );
  expect(mappingText(draft)).not.toContain('Lists without a field');
});

test('lines that are mapped to nothing are not read, but named', async () => {
  const draft = await drafted([orders]);
  expect(streamText(draft)).not.toContain('expand');
  expect(mappingText(draft)).toContain('\n# Lists without a field: lines\n');
});
