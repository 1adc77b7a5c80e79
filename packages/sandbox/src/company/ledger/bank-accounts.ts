import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo } from '../../time.ts';
import { houseBankAccounts } from '../master/accounts.ts';
import { customers, type TradingRecord, vendors } from '../master/partners.ts';
import { people } from '../master/people.ts';
import { type Bank, banks } from './banks.ts';
import { ibanOf } from './iban.ts';

interface Owner {
  readonly kind: string;
  readonly number: number;
  readonly name: string;
  readonly currency: string;
}

/**
 * Accounts of the companies of the group: name, kind, company, currency, bank if it has a record, balance and credit
 * line in cents.
 */
const own: readonly (readonly [string, string, number, string, number | null, number, number])[] = [
  ['House bank EUR', 'G', 2, 'EUR', 1, 184_230_75, 50_000_000],
  ['House bank GBP', 'G', 3, 'GBP', 2, 61_404_10, 10_000_000],
  ['House bank PLN', 'G', 4, 'PLN', 3, 402_118_00, 20_000_000],
  ['Savings', 'S', 2, 'EUR', 1, 1_250_000_00, 0],
  ['Company card', 'K', 2, 'EUR', 1, -4_212_37, 2_500_000],
  ['Bank loan 2023', 'D', 1, 'EUR', 1, -900_000_00, 0],
  ['Rent deposits', 'X', 2, 'EUR', 1, 38_400_00, 0],
  ['Trade fair Sydney', 'G', 2, 'AUD', null, 12_800_50, 0],
];
const OTHERS_FROM = 101;

/** Accounts 1 to 8 belong to the group. From 101 on, accounts belong to vendors, then customers, then employees. */
export function bankAccountTable(): SeedTable {
  const random_ = random('bankkto');
  const { pick } = random_;
  const ofRecord = (kind: string) => (record: TradingRecord) => ({ ...record, kind });
  const owners: Owner[] = [
    ...vendors.filter(({ number }) => number % 10 === 2).map(ofRecord('L')),
    ...customers.filter(({ number }) => number % 10 === 7).map(ofRecord('K')),
    ...people.slice(-40).map(({ persnr, first, last }) => ({
      kind: 'P',
      number: persnr,
      name: `${first} ${last}`,
      currency: 'EUR',
    })),
  ];
  return {
    table: 'bankkto',
    rows: [
      ...own.map((account, index) => ownAccount(index + 1, account)),
      ...owners.map((owner, index) => accountOf(OTHERS_FROM + index, owner, pick(banks), random_)),
    ],
  };
}

function ownAccount(bkonr: number, [name, art, company, waehr, banknr, saldo, credit]: (typeof own)[number]): SeedRow {
  const bank = banks.find((each) => each.banknr === banknr);
  const ledger = Object.entries(houseBankAccounts).find(([, number]) => number === bkonr)?.[0];
  return {
    ...common(bkonr, bank, `00440${String(bkonr).padStart(5, '0')}`),
    bez: name,
    beschr: bkonr === 1 ? 'Collects customer payments and pays vendors' : null,
    art,
    waehr,
    bsb: waehr === 'AUD' ? '062000' : null,
    eigner_art: 'M',
    eigner: company,
    konto: ledger === undefined ? null : Number(ledger) + 50_000,
    saldo_ct: saldo,
    kreditlinie_ct: credit,
    gesperrt: ' ',
    angelegt: '20050101',
    changed_at: daysAgo(1 + bkonr / 100).toISOString(),
  };
}

function accountOf(bkonr: number, owner: Owner, bank: Bank, { between, chance }: ReturnType<typeof random>): SeedRow {
  const known = between(30, 3_000);
  return {
    ...common(bkonr, bank, String(between(100_000_000, 9_999_999_999)).padStart(10, '0')),
    bez: `${owner.name} ${owner.currency}`,
    beschr: null,
    art: chance(0.95) ? 'G' : 'S',
    waehr: owner.currency,
    eigner_art: owner.kind,
    eigner: owner.number,
    konto: null,
    saldo_ct: 0,
    kreditlinie_ct: 0,
    gesperrt: chance(0.03) ? 'X' : ' ',
    angelegt: compactDay(daysAgo(known)),
    changed_at: daysAgo(between(1, known)).toISOString(),
  };
}

/** Columns that follow from the bank and the number. Numbers are stored without their first digits. */
function common(bkonr: number, bank: Bank | undefined, number: string): SeedRow {
  return {
    bkonr,
    kz: `BA-${bkonr}`,
    banknr: bank?.banknr ?? null,
    ktonr: `******${number.slice(-4)}`,
    iban: bank ? ibanOf(bank.city.country, bank.clearing, number) : null,
    bic: bank?.bic ?? null,
    blz: bank?.clearing ?? null,
    bsb: null,
    filialnr: bkonr % 4 === 1 ? `0${400 + bkonr}` : null,
  };
}
