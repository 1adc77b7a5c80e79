import type { SeedTable } from '../../row.ts';
import { fulfillmentTable } from './fulfillments.ts';
import { opportunityTable } from './opportunities.ts';
import { quoteOf, quoteTables } from './quotes.ts';
import { returned, returnTables } from './returns.ts';
import { salesOrderTables } from './sales-orders.ts';
import { shipmentTables } from './shipments.ts';

/** What the company offers, sells, sends and takes back. */
export function salesTables(): SeedTable[] {
  return [
    opportunityTable(),
    ...quoteTables(),
    ...salesOrderTables(quoteOf, returned),
    ...shipmentTables(),
    fulfillmentTable(),
    ...returnTables(),
  ];
}
