import { entityOf } from '@unified/contract';
import { expect, test } from 'vitest';
import { platformOf } from '../../src/platforms.ts';

test.each(['WorkOrder', 'PurchaseOrder', 'ProductionOrder'])(
  '%s has every action of the document but conversion, which makes no document here',
  (name) => {
    const actions = entityOf(name)?.actions.map((action) => action.name) ?? [];
    const mapped = Object.keys(platformOf('sandbox').mappings[name]?.actions ?? {});
    expect(mapped.sort()).toEqual(actions.filter((action) => action !== 'convert').sort());
  },
);
