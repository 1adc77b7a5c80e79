import type { SeedTable } from '../../row.ts';
import { alarmTable } from './alarms.ts';
import { assetTable } from './asset-table.ts';
import { assignmentTable } from './assignments.ts';
import { meterTables } from './meters.ts';
import { requestTable } from './requests.ts';
import { stepTable } from './steps.ts';
import { templateTable, triggerTable } from './templates.ts';
import type { WorkOrder } from './work-order.ts';

/** Equipment and its maintenance; requests, readings, steps and alarms are consistent with the work orders. */
export function maintenanceTables(orders: readonly WorkOrder[]): SeedTable[] {
  return [
    assetTable(),
    assignmentTable(),
    ...meterTables(orders),
    templateTable(),
    triggerTable(),
    requestTable(orders),
    stepTable(orders),
    alarmTable(orders),
  ];
}
