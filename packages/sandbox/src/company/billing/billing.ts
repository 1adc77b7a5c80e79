import type { SeedRow, SeedTable } from '../../row.ts';
import type { Documents } from './drafts.ts';
import { invoices, invoiceTables } from './invoices.ts';
import { billingReferenceTables } from './reference.ts';
import { returnCredits } from './return-credits.ts';
import { settlementTables } from './settlements.ts';

/** Rows of the returns and their positions, for which customers are credited. */
export interface Returns {
  readonly returns: readonly SeedRow[];
  readonly returnLines: readonly SeedRow[];
}

/** Invoices, the reference data that they use, and their settlements. */
export function billingTables(documents: Documents & Returns): SeedTable[] {
  const made = invoices(documents);
  const credits = (first: number) => returnCredits(documents.returns, documents.returnLines, first);
  return [...billingReferenceTables(), ...invoiceTables(made), ...settlementTables(made.all, credits)];
}
