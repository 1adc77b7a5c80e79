import { paymentMethods, paymentTerms } from '../../data/payment-terms.ts';
import { taxRates } from '../../data/tax-rates.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { daysAgo, withComma } from '../../time.ts';

const since = { angelegt: '20070101', changed_at: daysAgo(320).toISOString() };

/** Reference data of invoices: tax rates, payment terms, payment methods. */
export function billingReferenceTables(): SeedTable[] {
  return [
    { table: 'steuer', rows: taxRates.map(taxRateRow) },
    { table: 'zahlbed', rows: paymentTerms.map(paymentTermRow) },
    { table: 'zahlart', rows: paymentMethods.map(paymentMethodRow) },
  ];
}

function taxRateRow(rate: (typeof taxRates)[number], index: number): SeedRow {
  const { code, name, percent, total = percent, kind, country, parts = [], isCompound = false } = rate;
  const { from = '20070101', until = null, isRecoverable = kind === 'E' } = rate;
  return {
    stnr: index + 1,
    stkz: code,
    bez: name,
    beschr: rate.about ?? null,
    satz: withComma(percent),
    satz_ges: withComma(total),
    art: kind,
    lkz: country,
    mand: country === 'GB' ? '020' : country === 'PL' ? '030' : null,
    konto: kind === 'E' ? 51_250 : 51_710,
    teile: parts.map(([bez, satz, isOnTop]) => ({ bez, satz: satz.replace('.', ','), kum: isOnTop ? 'J' : 'N' })),
    kz_kumuliert: isCompound ? 'J' : 'N',
    kz_abzug: isRecoverable ? 'J' : 'N',
    gueltig_ab: from,
    gueltig_bis: until,
    status: until === null ? 'A' : 'X',
    gesperrt: until === null ? ' ' : 'X',
    ...since,
  };
}

function paymentTermRow(term: (typeof paymentTerms)[number], index: number): SeedRow {
  const { code, name, days, basis = 'R', dayOfMonth = null, discount = null, discountDays = null, shares = [] } = term;
  return {
    zbnr: index + 1,
    zbkz: code,
    bez: name,
    beschr: term.about ?? null,
    tage: days,
    basis,
    stichtag: dayOfMonth,
    skonto_proz: discount,
    skonto_tage: discountDays,
    raten: shares.map(([percent, after]) => ({ proz: withComma(percent), tage: after })),
    aktiv: 'J',
    ...since,
  };
}

function paymentMethodRow([zahlart, bez, typ, konto, about]: (typeof paymentMethods)[number]): SeedRow {
  return { zahlart, bez, beschr: about ?? null, typ, konto, gesperrt: zahlart === 'SCH' ? 'X' : ' ', ...since };
}
