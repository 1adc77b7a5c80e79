import type { SeedTable } from '../../row.ts';
import { billTables } from './bills-of-material.ts';
import { laborResourceTable } from './labor-resources.ts';
import { type Documents, orderMaterialTable } from './order-materials.ts';
import { orderResourceTable } from './order-resources.ts';
import { productionOrderTables } from './production-orders.ts';
import { routingTables } from './routings.ts';
import { workCenterTable } from './work-centers.ts';

/** Production of machines, and the materials and resources of all kinds of orders. */
export function productionTables(documents: Documents): SeedTable[] {
  return [
    workCenterTable(),
    ...routingTables(),
    ...billTables(),
    ...productionOrderTables(),
    laborResourceTable(),
    orderMaterialTable(documents),
    orderResourceTable(documents.workOrders),
  ];
}
