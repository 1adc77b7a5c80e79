import type { RunningTryton } from '../../../../test-systems/tryton/start.ts';
import { ref } from './values.ts';

/** Ids of records that the seed created, by what they are used for, and a line of a document with and without a price. */
export type Seeded = Awaited<ReturnType<typeof seededIn>>;

export async function seededIn({ rpc, series }: Pick<RunningTryton, 'rpc' | 'series'>) {
  const idOf = (model: string, field: string, value: string) => rpc.id(model, [[field, '=', value]]);
  const plate = await idOf('product.product', 'code', 'PLATE-1');
  const unit = await idOf('product.uom', 'symbol', 'u');
  const line = { item: ref(plate, 'Item'), description: 'Cut to size', quantity: 2, unit: ref(unit) };
  return {
    ...{ rpc, series, plate, unit, line, priced: { ...line, line: 1, lineType: 'item', unitPrice: 25 } },
    storedLine: { sequence: 1, product: plate, description: 'Cut to size', quantity: 2, unit },
    company: await rpc.id('company.company', []),
    employee: await rpc.id('company.employee', []),
    vendor: await idOf('party.party', 'code', 'V001'),
    customer: await idOf('party.party', 'code', 'C001'),
    pump: await idOf('product.product', 'code', 'PUMP-1'),
    bill: await idOf('production.bom', 'name', 'Pump'),
    warehouse: await idOf('stock.location', 'type', 'warehouse'),
    floor: await idOf('stock.location', 'type', 'production'),
    usd: await idOf('currency.currency', 'code', 'USD'),
    eur: await idOf('currency.currency', 'code', 'EUR'),
    germany: await idOf('country.country', 'code', 'DE'),
    term: await idOf('account.invoice.payment_term', 'name', 'Net 60'),
    method: await idOf('account.payment.journal', 'name', 'Bank transfer'),
    payable: await idOf('account.account', 'name', 'Main Payable'),
    receivable: await idOf('account.account', 'name', 'Main Receivable'),
    tax: await idOf('account.account', 'name', 'Main Tax'),
    expense: await idOf('account.account', 'name', 'Main Expense'),
    salesTax: await idOf('account.tax', 'name', 'Sales tax 8%'),
    cash: await idOf('account.account', 'name', 'Main Cash'),
  };
}
