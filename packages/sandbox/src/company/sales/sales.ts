import type { SeedRow, SeedTable } from '../../row.ts';
import { fulfillmentTable } from './fulfillments.ts';
import { opportunityTable } from './opportunities.ts';
import { quoteOf, quoteTables } from './quotes.ts';
import { returned, returnTables } from './returns.ts';
import { salesOrderTables } from './sales-orders.ts';
import { shipmentTables } from './shipments.ts';

/** Quotes, sales orders, shipments and returns, and transfers between locations of the company. */
export function salesTables(transfers: readonly SeedRow[]): SeedTable[] {
  return [
    opportunityTable(),
    ...quoteTables(),
    ...salesOrderTables(quoteOf, returned),
    ...shipmentTables(transfers.filter(({ status }) => status === 'B')),
    fulfillmentTable(transfers.filter(({ status }) => status === 'E' || status === 'A')),
    ...returnTables(),
  ];
}
