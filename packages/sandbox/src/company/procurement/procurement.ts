import type { SeedTable } from '../../row.ts';
import { contractTable } from './contracts.ts';
import { projectTable } from './projects.ts';
import { quotationRequestTable } from './quotation-requests.ts';
import { receiptTables } from './receipts.ts';
import { requisitionTables } from './requisitions.ts';

/** Purchasing before and after the order, with contracts and projects. */
export function procurementTables(): SeedTable[] {
  return [projectTable(), contractTable(), ...requisitionTables(), quotationRequestTable(), ...receiptTables()];
}
