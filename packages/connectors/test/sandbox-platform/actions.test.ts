import { entityOf } from '@unified/contract';
import { expect, test } from 'vitest';
import { platformOf } from '../../src/platforms.ts';

const actionsOf = (name: string) => ({
  described: (entityOf(name)?.actions ?? []).map((action) => action.name).sort(),
  mapped: Object.keys(platformOf('sandbox').mappings[name]?.actions ?? {}).sort(),
});

test.each(['WorkOrder', 'PurchaseOrder', 'ProductionOrder', 'InventoryDocument'])(
  '%s has every action of the document but conversion, which makes no document here',
  (name) => {
    const { described, mapped } = actionsOf(name);
    expect(mapped).toEqual(described.filter((action) => action !== 'convert'));
  },
);

test.each(['Quote', 'SalesOrder', 'Shipment'])('%s has every action of the document', (name) => {
  const { described, mapped } = actionsOf(name);
  expect(mapped).toEqual(described);
});
