import type { Rpc } from './rpc.ts';
import { seedAccounting } from './seed/accounting.ts';
import { seedCompany } from './seed/company.ts';
import { seedFinance } from './seed/finance.ts';
import { seedOperations } from './seed/operations.ts';
import { seedParties } from './seed/parties.ts';
import { seedProducts } from './seed/products.ts';
import { seedPurchases } from './seed/purchases.ts';
import type { SeriesNames } from './series.ts';

/**
 * Fills a newly initialized database with a small trading company: the same rows with the same ids each time. `rpc`
 * must be logged in as administrator. `names` are those of the series.
 */
export async function seed(rpc: Rpc, names: SeriesNames): Promise<void> {
  const company = await seedCompany(rpc);
  const accounting = await seedAccounting(rpc, company, names);
  const parties = await seedParties(rpc, accounting);
  const products = await seedProducts(rpc, { ...company, ...accounting, ...parties });
  const seeded = { ...company, ...accounting, ...parties, ...products, names };
  await seedPurchases(rpc, seeded);
  await seedFinance(rpc, seeded);
  await seedOperations(rpc, seeded);
}
