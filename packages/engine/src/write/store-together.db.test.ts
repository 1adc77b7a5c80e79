import { compileMapping, type Platform, type Stream } from '@unified/connectors';
import { entities } from '@unified/contract';
import { page } from '@unified/store';
import { expect, test } from 'vitest';
import { platform as faulty } from '../../test/faulty-platform.ts';
import { startHarness } from '../../test/harness.ts';
import { modelOfPlatform } from '../model/connection-model.ts';
import { storeRows } from '../records/store-rows.ts';
import { storeTogether } from './store-together.ts';

const harness = await startHarness();

const stream = (name: string): Stream => ({
  ...{ name, key: ['id'], order: 0, deletes: 'none', pageSize: 100, options: {} },
});
const [orders, lines] = [stream('orders'), stream('lines')];
const mapped = (entity: 'PurchaseOrder' | 'PurchaseOrderLine', from: Stream, fields: object) =>
  compileMapping({ entity, stream: from.name, fields }, { file: entity, entity: entities[entity] });
const platform: Platform = {
  ...faulty,
  id: 'orders-and-lines',
  streams: [orders, lines],
  mappings: {
    PurchaseOrder: mapped('PurchaseOrder', orders, {
      lines: { refs: { entity: 'PurchaseOrderLine', by: '_idValue', each: 'lines' } },
    }),
    PurchaseOrderLine: mapped('PurchaseOrderLine', lines, {
      purchaseOrder: { ref: { entity: 'PurchaseOrder', by: '_idValue', value: 'order' } },
    }),
  },
};
const model = modelOfPlatform(platform);

const order = { key: 'o', row: { id: 'o', lines: ['l'] } };
const line = { key: 'l', row: { id: 'l', order: 'o' } };

test('a record refers to those that are stored with it, even if a sync stored its row first', async () => {
  const scope = await harness.connect(platform.id, {});
  const shownLines = async () => {
    const { docs } = await page(scope, entities.PurchaseOrder, { conditions: [], sort: [], limit: 1 });
    return JSON.parse(`[${docs}]`)[0]?.lines;
  };
  await scope.transaction((inner) => storeRows(inner, model, orders, { rows: [order], deleted: [] }));
  expect(await shownLines()).toEqual([]);
  await scope.transaction((inner) =>
    storeTogether(inner, model, [
      { stream: lines, rows: [line], deleted: [] },
      { stream: orders, rows: [order], deleted: [] },
    ]),
  );
  expect(await shownLines()).toMatchObject([{ _idValue: 'l' }]);
});
