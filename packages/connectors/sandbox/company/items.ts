import { random } from '../random.ts';
import type { SeedRow, SeedTable } from '../row.ts';
import { compactDay, daysAgo } from '../time.ts';
import { vendors } from './partners.ts';

const COUNT = 1_200;
const FIRST = 30_001;
const KNOWN = 30_118;

export interface Article {
  readonly artid: number;
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  readonly unit: string;
  readonly cents: number;
}

/** Group, kind of item, unit, lowest and highest price in cents, and what names are made of. */
type Family = readonly [string, string, string, number, number, readonly string[], readonly string[]];

const families: readonly Family[] = [
  [
    'G-FAST-B',
    'TEIL',
    'STK',
    4,
    90,
    ['Hex bolt', 'Socket screw', 'Countersunk screw', 'Stud'],
    ['M4 × 16', 'M5 × 20', 'M6 × 30', 'M8 × 30', 'M10 × 45', 'M12 × 60', 'M16 × 80', 'M20 × 100'],
  ],
  [
    'G-FAST-N',
    'TEIL',
    'STK',
    2,
    60,
    ['Hex nut', 'Lock nut', 'Washer', 'Spring washer'],
    ['M4', 'M5', 'M6', 'M8', 'M10', 'M12', 'M16', 'M20'],
  ],
  [
    'G-BEAR',
    'TEIL',
    'STK',
    290,
    18_000,
    ['Ball bearing', 'Roller bearing', 'Pillow block'],
    ['6200', '6201', '6202', '6203', '6204', '6205', '6206', '6207', '6208', '6210', '6212', '6305', '6306', '6308'],
  ],
  [
    'G-SEAL',
    'TEIL',
    'STK',
    20,
    4_000,
    ['O-ring', 'Shaft seal', 'Flat gasket', 'Wiper'],
    ['20 mm', '25 mm', '30 mm', '35 mm', '40 mm', '50 mm', '60 mm', '80 mm', '100 mm'],
  ],
  [
    'G-DRIVE',
    'TEIL',
    'STK',
    900,
    60_000,
    ['V-belt', 'Toothed belt', 'Chain', 'Coupling', 'Sprocket'],
    ['SPA 1000', 'SPA 1250', 'SPB 1600', 'SPB 2000', 'T10 960', 'T10 1400', '08B-1', '10B-1', 'Size 28', 'Size 38'],
  ],
  [
    'G-ELEC',
    'TEIL',
    'STK',
    350,
    90_000,
    ['Proximity sensor', 'Light barrier', 'Contactor', 'Relay', 'Frequency inverter', 'Electric motor'],
    ['24 V', '230 V', '400 V', '0.75 kW', '1.5 kW', '2.2 kW', '4 kW', '7.5 kW'],
  ],
  [
    'G-PNEU',
    'TEIL',
    'STK',
    150,
    30_000,
    ['Cylinder', 'Directional valve', 'Push-in fitting', 'Pressure regulator'],
    ['G1/8', 'G1/4', 'G3/8', 'G1/2', '25-50', '32-80', '40-100', '63-160'],
  ],
  [
    'G-HYDR',
    'TEIL',
    'STK',
    400,
    80_000,
    ['Hydraulic hose', 'Gear pump', 'Filter element', 'Check valve'],
    ['DN 6', 'DN 10', 'DN 16', 'DN 20', '11 cc', '16 cc', '10 µm', '25 µm'],
  ],
  [
    'G-LUBE',
    'HILF',
    'L',
    300,
    4_500,
    ['Gear oil', 'Hydraulic oil', 'Chain oil', 'Compressor oil'],
    ['VG 32', 'VG 46', 'VG 68', 'VG 100', 'VG 150', 'VG 220', 'VG 320'],
  ],
  [
    'G-RAW',
    'ROH',
    'KG',
    90,
    2_800,
    ['Steel sheet', 'Round bar', 'Square tube', 'Aluminium plate', 'Flat bar'],
    ['S235 2 mm', 'S235 4 mm', 'S355 6 mm', 'C45 20 mm', 'C45 40 mm', '1.4301 2 mm', '1.4301 5 mm', 'EN AW-5083 10 mm'],
  ],
  [
    'G-PACK',
    'HILF',
    'STK',
    15,
    900,
    ['Carton', 'Wooden box', 'Stretch film', 'Edge guard'],
    ['200 × 150', '300 × 200', '400 × 300', '600 × 400', '800 × 600', '1200 × 800'],
  ],
  [
    'G-SAFE',
    'HILF',
    'PAA',
    190,
    12_000,
    ['Work gloves', 'Safety shoes', 'Ear plugs', 'Knee pads'],
    ['size 8', 'size 9', 'size 10', 'size 42', 'size 44', 'size 46'],
  ],
  [
    'G-FIN',
    'FERT',
    'STK',
    250_000,
    9_500_000,
    ['Case packer', 'Palletizer', 'Labeller', 'Checkweigher', 'Conveyor'],
    ['NW 100', 'NW 200', 'NW 300', 'NW 400', 'NW 500', 'NW 600'],
  ],
  [
    'G-SERV',
    'DIEN',
    'H',
    4_500,
    16_000,
    ['Welding work', 'Crane hire', 'Calibration', 'Electrical inspection'],
    ['standard', 'at night', 'at weekends', 'abroad'],
  ],
  [
    'G-TOOL',
    'WERK',
    'STK',
    400,
    45_000,
    ['Torque wrench', 'Drill', 'Cutter', 'Feeler gauge'],
    ['6 mm', '8 mm', '10 mm', '12 mm', '5-25 Nm', '20-100 Nm'],
  ],
];

/** Everything that is bought, stored or sold. 30118 is the hex bolt M8 × 40. */
export const articles: readonly Article[] = everything();

function everything(): Article[] {
  const { between, pick } = random('artikel');
  const taken = new Set(['Hex bolt M8 × 40']);
  return Array.from({ length: COUNT }, (_, index) => {
    const artid = FIRST + index;
    if (artid === KNOWN)
      return { artid, name: 'Hex bolt M8 × 40', group: 'G-FAST-B', kind: 'TEIL', unit: 'STK', cents: 11 };
    const [group, kind, unit, low, high, nouns, sizes] = pick(families);
    const plain = `${pick(nouns)} ${pick(sizes)}`;
    let name = plain;
    for (let form = 2; taken.has(name); form++) name = `${plain} form ${form}`;
    taken.add(name);
    return { artid, name, group, kind, unit, cents: between(low, high) };
  });
}

export function itemTable(): SeedTable {
  const { between, chance, pick } = random('artikel-data');
  const makers = ['Harland', 'Osterby', 'Kestrel', 'Vantage', 'Rotenfels', 'Lumen'];
  const rows = articles.map(({ artid, name, group, kind, unit, cents }): SeedRow => {
    const created = between(30, 5_000);
    const stocked = kind !== 'DIEN';
    const reorder = between(1, 60) * 10;
    return {
      artid,
      artnr: `IT-${artid}`,
      bez: name,
      beschr: chance(0.2) ? `${name}, see drawing ${between(1_000, 9_999)}` : null,
      art: kind,
      gruppe: group,
      meins: unit,
      bestell_eh: unit,
      verkauf_eh: kind === 'FERT' ? unit : null,
      mand: null,
      waehr: 'EUR',
      sku: `NW${artid}`,
      strichcode: stocked ? `400${artid}0${between(1_000, 9_999)}` : null,
      ean: stocked ? `4${String(artid * 37).padStart(12, '0')}` : null,
      teilenr: `${between(10, 99)}-${between(1_000, 9_999)}-${between(10, 99)}`,
      hersteller: chance(0.5) ? pick(makers) : null,
      hersteller_nr: chance(0.4) ? `${pick(makers).slice(0, 2).toUpperCase()}-${between(10_000, 99_999)}` : null,
      kz_baugr: kind === 'FERT' ? 'J' : 'N',
      kz_verkauf: kind === 'FERT' || chance(0.2) ? 'J' : 'N',
      kz_einkauf: kind === 'FERT' ? 'N' : 'J',
      kz_bestand: stocked ? 'J' : 'N',
      kz_ust: 'J',
      kz_varianten: 'N',
      chargen: kind === 'HILF' && chance(0.3) ? 'C' : kind === 'FERT' ? 'S' : ' ',
      krit: pick(['A', 'B', 'C']),
      gesperrt: chance(0.03) && artid !== KNOWN ? 'X' : ' ',
      ek_ct: cents,
      vk_ct: kind === 'FERT' ? Math.round(cents * 1.35) : null,
      std_ct: cents,
      gld_ct: Math.round(cents * (0.95 + between(0, 10) / 100)),
      melde: stocked ? reorder : null,
      bestell_mg: stocked ? reorder * 4 : null,
      min_mg: stocked ? reorder / 2 : null,
      max_mg: stocked ? reorder * 10 : null,
      bestand: stocked ? between(0, reorder * 8) : null,
      liefertage: between(1, 45),
      gewicht: stocked ? between(1, 20_000) / 1_000 : null,
      gew_eh: stocked ? 'KG' : null,
      lg: stocked ? between(5, 1_200) : null,
      br: stocked ? between(5, 400) : null,
      ho: stocked ? between(2, 300) : null,
      mass_eh: stocked ? 'MM' : null,
      haltbar: group === 'G-LUBE' ? 1_095 : null,
      aufwand_kto: '5030',
      bestand_kto: stocked ? '1130' : null,
      erloes_kto: kind === 'FERT' ? '4010' : null,
      hauptlief: pick(vendors).number,
      bem: chance(0.05) ? 'Replaces an older part' : null,
      angelegt: compactDay(daysAgo(created)),
      changed_at: daysAgo(between(1, 300) + (artid % 1_440) / 1_440).toISOString(),
    };
  });
  return { table: 'artikel', rows };
}
