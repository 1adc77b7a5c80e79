import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay, withComma } from '../../time.ts';
import { customers } from '../master/partners.ts';
import { foremen } from '../master/people.ts';
import { places } from '../master/places.ts';
import { type PurchaseOrder, purchaseOrders } from '../orders/purchase-orders.ts';

const COUNT = 72;
const FIRST = 600_101;
const HOURLY_CENTS = 6_500;
/** Orders that were not sent to the vendor have no cost yet. */
const open = 'EV';
const undertakings = ['Overhaul of', 'Second', 'Move of', 'Retrofit of', 'New', 'Energy audit of'];
const objects = ['palletizer', 'paint shop', 'compressor station', 'cold store', 'packaging line', 'loading ramp'];
const towns = ['Hamburg', 'Stade', 'Ulm', 'Chemnitz', 'Sheffield', 'Gliwice'];

/** 72 projects; the first 60 have purchase orders. */
export function projectTable(): SeedTable {
  const random_ = random('projekt');
  const rows = Array.from({ length: COUNT }, (_, index) => {
    const number = FIRST + index;
    const orders = purchaseOrders.filter(({ related }) => related.projnr === number);
    return project(number, orders, random_);
  });
  return { table: 'projekt', rows };
}

function project(
  projnr: number,
  orders: readonly PurchaseOrder[],
  { between, chance, pick }: ReturnType<typeof random>,
): SeedRow {
  const rank = projnr - FIRST;
  const days = orders.map(({ ordered }) => ordered);
  const begun = Math.max(0, ...days) + between(20, 90);
  const last = Math.min(...days);
  const status = orders.length === 0 ? pick(['10', '20', '90']) : last > 200 ? '50' : pick(['30', '30', '30', '40']);
  const planned = between(200, 2_000);
  const share = status === '50' ? between(85, 115) / 100 : orders.length === 0 ? 0 : between(10, 80) / 100;
  const hours = Math.round(planned * share * 4) / 4;
  const bought = orders.filter((order) => !open.includes(order.status)).reduce((sum, { net }) => sum + net, 0);
  const place = pick(places);
  const forCustomer = chance(0.4);
  const end = status === '50' ? Math.max(last - 40, 5) : -between(20, 300);
  return {
    projnr,
    projkz: `PJ-${101 + rank}`,
    bez: `${undertakings[rank % 6]} ${objects[Math.floor(rank / 6) % 6]} ${towns[(rank + Math.floor(rank / 36)) % 6]}`,
    beschr: chance(0.5) ? 'Approved by the management board' : null,
    status,
    kdnr: forCustomer ? pick(customers).number : null,
    leiter: pick(foremen),
    ober_proj: rank > 12 && chance(0.2) ? FIRST + between(0, 9) : null,
    mand: place.mand,
    kst: pick(['2000', '3100', '4100', '4200']),
    werknr: place.werknr,
    beginn: dottedDay(daysAgo(begun)),
    ende: dottedDay(daysAgo(end)),
    fertig_am: status === '50' ? daysAgo(end + 2).toISOString() : null,
    budget: withComma(Math.ceil((bought + planned * 65) / 5_000) * 5_000),
    einkauf_ct: Math.round(bought * 100),
    lohn_ct: Math.round(hours * HOURLY_CENTS),
    soll_std: withComma(planned),
    ist_std: withComma(hours),
    abrart: forCustomer ? pick(['F', 'A', 'M', 'P']) : 'N',
    kz_weiter: forCustomer ? 'J' : 'N',
    fertig_proz: status === '50' ? 100 : Math.min(Math.round(share * 100), 95),
    waehr: 'EUR',
    konto: 55_030,
    schluessel: chance(0.5) ? pick(['X-CAPEX', 'X-OPEX', 'X-CAPEX X-ENER']) : null,
    bem: chance(0.2) ? 'Steering group meets on the first Monday' : null,
    angelegt: compactDay(daysAgo(begun + 14)),
    changed_at: daysAgo(Math.min(between(1, 200) + between(0, 1_439) / 1_440, begun + 13)).toISOString(),
  };
}
