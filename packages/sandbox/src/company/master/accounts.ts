import { type AccountGroup, accountGroups } from '../../data/account-groups.ts';
import { remark } from '../../data/remarks.ts';
import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactTime, daysAgo, THIS_YEAR, withComma } from '../../time.ts';

/** Numbers of the accounts that other tables point to. */
export const payables = ['1610', '1620'] as const;
export const receivables = ['1210', '1220'] as const;
/** Ledger accounts of bank accounts, with the number of the bank account. */
export const houseBankAccounts: Readonly<Record<string, number>> = { '1020': 1, '1030': 2, '1040': 3, '1050': 4 };

/** Currencies of the bank accounts that are not in euros. */
const bankCurrencies: Readonly<Record<string, string>> = { '1030': 'GBP', '1040': 'PLN' };

/** The warehouse of the stock accounts. */
const MAIN_STORE = 1_024;

/** Accounts with their number as id: header accounts end on 00. */
export function accountTable(leaders: readonly number[]): SeedTable {
  const { between, pick, chance } = random('konto');
  const base = (ktonr: string, bez: string, [, , klasse, art]: AccountGroup, leader: number): SeedRow => ({
    kontoid: Number(ktonr) + 50_000,
    ktonr,
    bez,
    beschr: remark('konto', ktonr),
    klasse,
    art,
    mand: '010',
    kst: '1110',
    leiter: leader,
    platznr: art === 'UV' ? MAIN_STORE : null,
    waehr: bankCurrencies[ktonr] ?? 'EUR',
    bkonr: houseBankAccounts[ktonr] ?? null,
    gueltig_ab: '20050101',
    gesperrt: ' ',
    angelegt: '20050101',
    changed_at: daysAgo(between(1, 400)).toISOString(),
  });
  const rows = accountGroups.flatMap((group): SeedRow[] => {
    const [digits, name, , , below] = group;
    const leader = pick(leaders);
    const header = {
      kopf: 'J',
      ueber: null,
      stufe: 1,
      pfad: name,
      limit_betrag: null,
      eb_saldo: null,
      gueltig_bis: null,
      abgestimmt: null,
    };
    return [
      { ...base(`${digits}00`, name, group, leader), ...header },
      ...below.map((bez, index) => ({
        ...base(`${digits}${(index + 1) * 10}`, bez, group, leader),
        kopf: 'N',
        ueber: Number(`${digits}00`) + 50_000,
        stufe: 2,
        pfad: `${name} / ${bez}`,
        limit_betrag: chance(0.2) ? withComma(between(10, 400) * 1_000) : null,
        eb_saldo: null,
        gueltig_bis: digits >= '65' && chance(0.1) ? `${THIS_YEAR - 1}1231` : '00000000',
        abgestimmt: digits === '10' ? compactTime(daysAgo(20)) : null,
      })),
    ];
  });
  return { table: 'konto', rows };
}
