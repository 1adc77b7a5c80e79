import type { SeedTable } from '../../row.ts';
import { bankAccountTable } from './bank-accounts.ts';
import { bankTable } from './banks.ts';
import { budgetTables } from './budgets.ts';
import { exchangeRateTable } from './exchange-rates.ts';
import { fiscalPeriodTable, fiscalYearTable } from './fiscal-years.ts';
import { journalEntryTable } from './journal-entries.ts';

/** Banks, fiscal years, budgets, journal entries and exchange rates. */
export function ledgerTables(): SeedTable[] {
  return [
    bankTable(),
    bankAccountTable(),
    fiscalYearTable(),
    fiscalPeriodTable(),
    ...budgetTables(),
    journalEntryTable(),
    exchangeRateTable(),
  ];
}
