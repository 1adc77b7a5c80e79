import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from './sandbox.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.stop());

const cents = (amount: unknown) => Math.round(Number(amount ?? 0) * 100);

test.each(['PurchaseOrder', 'SalesOrder', 'Quote', 'Invoice'])(
  'the total of every %s follows from its parts',
  async (entity) => {
    const odd = (await sandbox.records(entity)).filter(({ values }) => {
      const { subtotal, discountPercent, discountAmount, taxTotal, shippingCost, isTaxInclusive, total } = values;
      const discount = Math.round((cents(subtotal) * Number(discountPercent ?? 0)) / 100) + cents(discountAmount);
      const tax = isTaxInclusive === true ? 0 : cents(taxTotal);
      return cents(total) !== cents(subtotal) - discount + tax + cents(shippingCost);
    });
    expect(odd.map(({ values }) => values.code)).toEqual([]);
  },
);
