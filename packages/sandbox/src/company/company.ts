import type { SeedRow, SeedTable } from '../row.ts';
import { billingTables } from './billing/billing.ts';
import { estateTables } from './estate/estate.ts';
import { ledgerTables } from './ledger/ledger.ts';
import { linked } from './links/link.ts';
import { links } from './links/links.ts';
import { maintenanceTables } from './maintenance/maintenance.ts';
import { workOrders, workOrderTable } from './maintenance/work-orders.ts';
import { accountTable } from './master/accounts.ts';
import { addressTable } from './master/addresses.ts';
import { departmentTable, fiscalCalendarTable, organizationTable } from './master/departments.ts';
import { itemTable } from './master/items.ts';
import { customerTable, partnerTable, vendorTable } from './master/partners.ts';
import { employeeTable, foremen } from './master/people.ts';
import { localityTable, locationTable, siteTable } from './master/places.ts';
import { referenceTables } from './master/reference.ts';
import { purchaseOrderTables } from './orders/purchase-orders.ts';
import { ownContacts } from './people/contacts.ts';
import { peopleTables } from './people/people.ts';
import { procurementTables } from './procurement/procurement.ts';
import { arrivedGoods } from './procurement/receipts.ts';
import { madeGoods } from './production/made-goods.ts';
import { productionTables } from './production/production.ts';
import { salesTables } from './sales/sales.ts';
import { departures } from './sales/shipments.ts';
import { stockTables } from './stock/stock.ts';

/** Every row of the sandbox company, the same on every machine. */
export function company(): SeedTable[] {
  const orders = workOrders();
  const orderTable = workOrderTable(orders);
  const purchases = purchaseOrderTables();
  const bought = { purchaseOrders: rowsOf(purchases, 'bestkopf'), purchaseLines: rowsOf(purchases, 'bestpos') };
  const vendors = vendorTable();
  const customers = customerTable(vendors.rows);
  const maintenance = maintenanceTables(orders);
  const stock = stockTables({ arrivals: arrivedGoods, departures, made: madeGoods });
  const procurement = procurementTables();
  const sales = salesTables(rowsOf(stock, 'lagerbeleg').filter(({ art }) => art === 'UM'));
  const tables = [
    ...referenceTables(),
    localityTable(),
    fiscalCalendarTable(foremen[1] ?? 0),
    organizationTable(),
    departmentTable(foremen),
    employeeTable(),
    siteTable(ownContacts),
    locationTable(foremen, ownContacts),
    accountTable(foremen),
    partnerTable(vendors.rows, customers.rows),
    vendors,
    customers,
    addressTable(),
    itemTable(),
    orderTable,
    ...purchases,
    ...maintenance,
    ...productionTables({ workOrders: orderTable.rows, ...bought }),
    ...ledgerTables(),
    ...estateTables(),
    ...sales,
    ...billingTables({ ...bought, ...sold(sales) }),
    ...stock,
    ...procurement,
    ...peopleTables({
      steps: rowsOf(maintenance, 'aufschritt'),
      requisitions: rowsOf(procurement, 'banf'),
      salesOrders: rowsOf(sales, 'vkkopf'),
    }),
  ];
  return linked(tables, links);
}

function rowsOf(tables: readonly SeedTable[], name: string): readonly SeedRow[] {
  return tables.find(({ table }) => table === name)?.rows ?? [];
}

/** Documents that become an invoice or a credit note. */
function sold(sales: readonly SeedTable[]) {
  return {
    quotes: rowsOf(sales, 'angkopf'),
    quoteLines: rowsOf(sales, 'angpos'),
    salesOrders: rowsOf(sales, 'vkkopf'),
    salesLines: rowsOf(sales, 'vkpos'),
    returns: rowsOf(sales, 'retoure'),
    returnLines: rowsOf(sales, 'retpos'),
  };
}
