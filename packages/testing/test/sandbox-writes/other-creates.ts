import type { Row } from '../write-recipe.ts';
import type { CompanyRecords } from './company-records.ts';
import type { Target } from './stored-row.ts';

type Creates = Readonly<Record<string, readonly Row[]>>;

/**
 * Values of other creates by entity: lines with an item and everything to which it belongs, and lines that refer to those of
 * orders.
 */
export async function otherCreates(records: CompanyRecords): Promise<Creates> {
  const costs = {
    item: await records.named('Item', 'Hex bolt M8 × 40'),
    project: await records.target('Project', ''),
    businessUnit: await records.named('BusinessUnit', 'Maintenance North'),
  };
  const taxRate = await records.target('TaxRate', '');
  const work = { workOrder: await records.target('WorkOrder', ''), asset: await records.target('Asset', '') };
  const line = { ...costs, taxRate, quantity: 2, unitPrice: 0.12 };
  return {
    ...(await planned(records, { costs, work, line })),
    ...(await purchased(records, { ...line, ...work })),
    ...(await sold(records)),
  };
}

/** Values of lines. */
interface Lines {
  readonly costs: Readonly<Record<'item' | 'project' | 'businessUnit', Target>>;
  readonly work: Row;
  readonly line: Row;
}

/** Requisitions, orders, requests and quotes, and what is budgeted and made. */
async function planned(records: CompanyRecords, { costs, work, line }: Lines): Promise<Creates> {
  const store = await records.named('Location', 'Storeroom HAM-A');
  const salesOrder = await records.target('SalesOrder', 'filter[statusCategory]=open');
  const requisitionLine = await records.target('PurchaseRequisitionLine', '');
  const [acme, euro] = [await records.named('Vendor', 'ACME Supplies'), await records.coded('Currency', 'EUR')];
  const quote = await records.target('Quote', 'filter[direction]=purchase');
  const { item, ...cost } = costs;
  return {
    PurchaseRequisition: [
      { lines: [{ item, ...cost, quantity: 2, workOrder: work.workOrder, deliveryLocation: store, salesOrder }] },
    ],
    PurchaseOrder: [{ lines: [{ ...line, ...work, requisitionLine }] }],
    Rfq: [
      {
        vendors: [acme],
        responses: [{ vendor: acme, line: 1, status: 'received', unitPrice: 1, quote, currency: euro }],
      },
    ],
    Quote: [{ lines: [line] }],
    SalesOrder: [{ lines: [line] }],
    Budget: [
      {
        revision: 3,
        lines: [
          {
            account: await records.named('Account', 'Maintenance of machines'),
            fiscalPeriod: await records.target('FiscalPeriod', ''),
            project: cost.project,
            amount: 100,
          },
        ],
      },
    ],
    BillOfMaterial: [
      {
        lines: [
          {
            ...{ item, quantity: 1, childBom: await records.target('BillOfMaterial', '') },
            operation: await records.target('ProductionRoutingOperation', ''),
          },
        ],
      },
    ],
  };
}

/** A receipt and a bill of an order that was placed. */
async function purchased(records: CompanyRecords, line: Row): Promise<Creates> {
  const { purchaseOrderLine, ...order } = await documentWith(records, 'PurchaseOrder', 'approved');
  const { vendor, currency, purchaseOrder } = order;
  const { location, _idValue } = await records.one('Bin', '');
  const place = { location, bin: await records.keyed('Bin', _idValue) };
  const billed = {
    ...{
      employee: await records.named('Employee', 'Maria Keller'),
      receiptLine: await records.target('ReceiptLine', ''),
    },
    ...{ ...line, purchaseOrderLine, quantity: 1 },
  };
  return {
    Receipt: [
      {
        ...{ vendor, currency, purchaseOrder },
        lines: [{ purchaseOrderLine, receivedQuantity: 1, asset: line.asset, ...place }],
      },
    ],
    Invoice: [
      {
        ...{ invoiceType: 'accounts_payable', invoiceNumber: 'T-77', vendor, customer: null, currency, purchaseOrder },
        lines: [billed],
      },
      { lines: [{ description: 'Bolts', quantity: 1, salesOrderLine: await records.target('SalesOrderLine', '') }] },
    ],
  };
}

/** A shipment and a return of goods of an order. */
async function sold(records: CompanyRecords): Promise<Creates> {
  const open = await documentWith(records, 'SalesOrder', 'open');
  const shipped = await documentWith(records, 'SalesOrder', 'shipped');
  return {
    Shipment: [
      {
        ...{ direction: 'outbound', customer: open.customer, vendor: null, salesOrder: open.salesOrder },
        lines: [{ salesOrderLine: open.salesOrderLine, item: open.item, quantity: 1 }],
      },
    ],
    ReturnOrder: [
      {
        ...{ customer: shipped.customer, salesOrder: shipped.salesOrder },
        lines: [{ originLine: shipped.salesOrderLine, item: shipped.item, quantity: 1 }],
      },
    ],
  };
}

/** The last order in a state, with its partner and the first of its lines that has an item. Actions use the first orders. */
async function documentWith(
  records: CompanyRecords,
  entity: 'PurchaseOrder' | 'SalesOrder',
  state: string,
): Promise<Row> {
  const order = await records.one(entity, `filter[statusCategory]=${state}&sort=-code&expand=lines`);
  const lines = order.lines as readonly (Target & Row)[];
  const line = lines.find(({ item }) => item !== null);
  if (!line) throw new Error(`${order.code} has no line with an item.`);
  const own = entity === 'PurchaseOrder' ? 'purchaseOrder' : 'salesOrder';
  return {
    ...{ vendor: order.vendor, customer: order.customer, currency: order.currency, item: line.item },
    [own]: await records.keyed(entity, order._idValue),
    [`${own}Line`]: await records.keyed(`${entity}Line`, line._idValue),
  };
}
