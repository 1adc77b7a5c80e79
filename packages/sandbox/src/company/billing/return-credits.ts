import type { SeedRow } from '../../row.ts';
import { compactDay, daysAgo, daysSince, dottedDay, withComma } from '../../time.ts';

const MOST = 12;

/** Credit notes, numbered from `first`, for goods that customers returned and that were not settled otherwise. */
export function returnCredits(returns: readonly SeedRow[], lines: readonly SeedRow[], first: number): SeedRow[] {
  const credited = returns.filter(({ art, status }) => art === 'K' && status === 'G').slice(0, MOST);
  return credited.map((found, index) => {
    const own = lines.filter(({ retnr }) => retnr === found.retnr);
    return credit(found, own, first + index);
  });
}

function credit(found: SeedRow, lines: readonly SeedRow[], gutnr: number): SeedRow {
  const positions = lines.map(position);
  const sum = (column: string) => positions.reduce((total, row) => total + cents(String(row[column])), 0);
  const tax = sum('ust');
  const total = sum('betrag') + tax;
  const days = Math.max(daysSince(found.erledigt) - 1, 0.3);
  return {
    gutnr,
    belegnr: `CN-${gutnr - 6_000_000_000}`,
    beschr: `Return ${found.belegnr}`,
    belegart: 'D',
    kdnr: found.kdnr ?? null,
    liefnr: null,
    rechnr: null,
    retnr: found.retnr ?? null,
    status: 'G',
    mand: '010',
    kst: '1110',
    konto: 51_210,
    waehr: found.waehr ?? null,
    schluessel: null,
    gutdat: dottedDay(daysAgo(days)),
    kz_brutto: 'N',
    ust_ct: tax,
    brutto_ct: total,
    rest_ct: total,
    angerechnet_am: null,
    grund: 'CR-RET',
    positionen: positions,
    zuordnung: [],
    zeichen: null,
    bem: null,
    angelegt: compactDay(daysAgo(days)),
    changed_at: daysAgo(days).toISOString(),
  };
}

function position({ posnr, artid, text, menge, preis }: SeedRow): SeedRow {
  const net = Math.round(Number(menge) * Number(preis) * 100);
  return {
    pos: posnr ?? null,
    artnr: `IT-${artid}`,
    text: text ?? null,
    menge: String(menge),
    preis: withComma(Number(preis)),
    stkz: 'S19',
    ust: withComma(Math.round(net * 0.19) / 100),
    betrag: withComma(net / 100),
    ktonr: '4070',
    projkz: null,
  };
}

function cents(amount: string): number {
  return Math.round(Number(amount.replace(',', '.')) * 100);
}
