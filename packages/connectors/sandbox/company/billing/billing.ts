import type { SeedTable } from '../../row.ts';
import type { Purchases } from './drafts.ts';
import { invoices, invoiceTables } from './invoices.ts';
import { billingReferenceTables } from './reference.ts';
import { settlementTables } from './settlements.ts';

/** Invoices, what they refer to and what settles them. */
export function billingTables(bought: Purchases): SeedTable[] {
  const made = invoices(bought);
  return [...billingReferenceTables(), ...invoiceTables(made), ...settlementTables(made.all)];
}
