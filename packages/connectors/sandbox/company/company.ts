import type { SeedTable } from '../row.ts';
import { accountTable } from './accounts.ts';
import { addressTable } from './addresses.ts';
import { departmentTable, fiscalCalendarTable, organizationTable } from './departments.ts';
import { itemTable } from './items.ts';
import { customerTable, vendorTable } from './partners.ts';
import { employeeTable, foremen } from './people.ts';
import { localityTable, locationTable, siteTable } from './places.ts';
import { purchaseOrderTables } from './purchase-orders.ts';
import { referenceTables } from './reference.ts';
import { workOrderTable } from './work-orders.ts';

/** Every row of the sandbox company, the same on every machine. */
export function company(): SeedTable[] {
  return [
    ...referenceTables(),
    localityTable(),
    fiscalCalendarTable(foremen[1] ?? 0),
    organizationTable(),
    departmentTable(foremen),
    employeeTable(),
    siteTable(),
    locationTable(foremen),
    accountTable(foremen),
    vendorTable(),
    customerTable(),
    addressTable(),
    itemTable(),
    workOrderTable(),
    ...purchaseOrderTables(),
  ];
}
