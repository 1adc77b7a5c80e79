import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { customers, vendors } from '../master/partners.ts';
import { foremen, technicians } from '../master/people.ts';
import { stores } from '../stock/bins.ts';
import { type Asset, assets, nowhere, typeOf } from './assets.ts';
import { dueFor } from './templates.ts';

const makers = ['Harland', 'Osterby', 'Kestrel', 'Vantage', 'Rotenfels', 'Lumen'];
/** Ledger account by kind of asset. */
const ledger = { M: 50_030, K: 50_030, F: 50_050, W: 50_040, G: 50_020, L: 50_030, I: 50_060 };

/** The shelf in the stores of the hall where its tools are kept. */
export const shelfIn = ({ platznr }: Asset['place']) =>
  stores.find(({ hall }) => hall === platznr)?.shelves[0]?.fachnr ?? null;

export function assetTable(): SeedTable {
  const random_ = random('anlage-data');
  return { table: 'anlage', rows: assets.map((asset) => assetRow(asset, random_)) };
}

function assetRow(asset: Asset, random_: Random): SeedRow {
  const { between, chance, pick } = random_;
  const { anlnr, name, sort: of, place, parent, status } = asset;
  const isType = place === nowhere;
  const due = dueFor(asset);
  const gone = status === '80' || status === '90';
  const isLent = of.art === 'F' || of.art === 'W';
  // Orders of all years refer to machines.
  const since = between(gone || of.art === 'M' ? 1_500 : 40, 4_000);
  return {
    anlnr,
    anlkz: `AS-${anlnr}`,
    bez: name,
    beschr: isType ? `What every ${of.name.toLowerCase()} has in common` : chance(0.2) ? 'Runs in two shifts' : null,
    ober_anl: parent,
    vorlage: of.art === 'M' && !isType ? typeOf(of) : null,
    art: of.art,
    gruppe: of.group,
    status,
    werknr: isType ? null : place.werknr,
    platznr: isType ? null : place.platznr,
    fachnr: of.art === 'W' ? shelfIn(place) : null,
    krit: of.art === 'M' ? pick(['1', '2', '2', '3', '3', '4']) : '5',
    krit_text: chance(0.2) ? 'Line stops' : null,
    hersteller: pick(makers),
    typ: pick(of.models),
    sernr: isType ? null : `${between(10, 99)}${anlnr}${between(100, 999)}`,
    strichcode: isType ? null : `AS${String(anlnr).padStart(6, '0')}`,
    funk_id: chance(0.3) && !isType ? `04A2${anlnr.toString(16).toUpperCase().padStart(10, '0')}` : null,
    kdnr: place.werknr >= 1_080 ? pick(customers).number : null,
    besitzer: pick(foremen),
    nutzer: isLent ? pick(technicians) : null,
    team: pick(['T-MECH', 'T-ELEC', 'T-AUTO', 'T-BLDG']),
    konto: ledger[of.art],
    kst: place.mand === '020' ? '5100' : place.mand === '030' ? '6100' : pick(['3100', '3200', '3300', '3400']),
    breite: of.art === 'G' ? '53,5511' : null,
    laenge: of.art === 'G' ? '9,9937' : null,
    wartung_am: due === null || gone || isType ? null : compactDay(daysAgo(due)),
    kz_real: isType ? 'N' : 'J',
    gesperrt: status === '90' ? 'X' : ' ',
    status_am: daysAgo(between(1, 39)).toISOString(),
    status_grund: gone ? 'Z-AGE' : status === '30' ? 'Z-BREAK' : status === '40' ? 'Z-SERV' : null,
    statustext: null,
    bem: chance(0.1) ? 'Keys are with the shift supervisor' : null,
    ...bought(asset, since, random_),
    stillgelegt: gone ? dottedDay(daysAgo(between(1, 39))) : null,
    angelegt: compactDay(daysAgo(since)),
    changed_at: daysAgo(between(1, 39) + (anlnr % 1_440) / 1_440).toISOString(),
  };
}

/** Cost, warranty and book value of the asset. */
function bought({ sort: of, place }: Asset, since: number, { between, chance, pick }: Random): SeedRow {
  if (place === nowhere) return paperless;
  const vendor = pick(vendors);
  const cents = Math.round(of.euros * (0.9 + between(0, 20) / 100)) * 100;
  const months = of.art === 'G' ? 480 : pick([60, 96, 120]);
  const rest = chance(0.3) ? Math.round(cents / 1_000) * 50 : null;
  const used = Math.min(1, Math.floor(since / 30.4) / months);
  return {
    liefnr: vendor.number,
    lief_kennz: chance(0.4) ? `SO-${between(10_000, 99_999)}` : null,
    waehr: 'EUR',
    kaufdat: dottedDay(daysAgo(since)),
    kauf_ct: cents,
    rest_ct: rest,
    buchwert_ct: Math.round(cents - (cents - (rest ?? 0)) * used),
    nutzung_mon: months,
    afa: 'Straight line',
    betrieb_ab: dottedDay(daysAgo(since - 20)),
    garantie_von: compactDay(daysAgo(since - 20)),
    garantie_bis: compactDay(daysAgo(since - 20 - 730)),
  };
}

const paperless: SeedRow = {
  liefnr: null,
  lief_kennz: null,
  waehr: null,
  kaufdat: null,
  kauf_ct: null,
  rest_ct: null,
  buchwert_ct: null,
  nutzung_mon: null,
  afa: null,
  betrieb_ab: null,
  garantie_von: null,
  garantie_bis: null,
};
