import { random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, daysAgo, dottedDay } from '../../time.ts';
import { technicians } from '../master/people.ts';
import { type Asset, machineSorts, machines, typeOf } from './assets.ts';
import { meters } from './meters.ts';

const FIRST_TEMPLATE = 84_001;
const FIRST_TRIGGER = 85_001;

interface Template {
  readonly wpnr: number;
  readonly name: string;
  readonly art: string;
  readonly assets: readonly Asset[];
  /** Type whose machines the plan covers, including those of other plants. */
  readonly type: number | null;
  readonly werknr: number;
  /** Days between two orders. */
  readonly every: number;
  /** Days since the last order. */
  readonly last: number;
}

/** Jobs with their machines and intervals. */
const regular: readonly (readonly [sort: string, verb: string, art: string, days: number])[] = [
  ['Conveyor', 'Lubricate conveyors', 'LUB', 30],
  ['Case packer', 'Service case packers', 'PM', 90],
  ['Labeller', 'Clean labellers', 'PM', 14],
  ['Palletizer', 'Inspect palletizers', 'INSP', 60],
  ['Compressor', 'Change filters of compressors', 'PM', 120],
  ['Pump', 'Inspect pumps', 'INSP', 90],
  ['Welding robot', 'Calibrate welding robots', 'CAL', 180],
  ['Press', 'Inspect presses', 'INSP', 30],
  ['Lathe', 'Calibrate lathes', 'CAL', 180],
  ['Cooling unit', 'Clean cooling units', 'PM', 60],
];

/** A template for each kind of machine at each plant that has such machines. */
const templates: readonly Template[] = planned();

function planned(): Template[] {
  const { between } = random('wplan');
  const found = machineSorts.flatMap((sort) =>
    [...new Set(machines.map(({ place }) => place.werknr))].flatMap((werknr) => {
      const assets = machines.filter((each) => each.sort === sort && each.place.werknr === werknr);
      return assets.length > 0 ? [{ sort, werknr, assets }] : [];
    }),
  );
  return found.map(({ sort, werknr, assets }, index) => {
    const [, verb = '', art = '', every = 30] = regular.find(([name]) => name === sort.name) ?? [];
    const name = `${verb}, plant ${werknr}`;
    const wpnr = FIRST_TEMPLATE + index;
    const type = wpnr % 10 === 1 ? typeOf(sort) : null;
    return { wpnr, name, art, assets, type, werknr, every, last: between(1, every - 1) };
  });
}

/** The template that generates orders of this kind for the machine. */
export function templateFor(asset: Asset, art: string): number | null {
  return templates.find((template) => template.art === art && template.assets.includes(asset))?.wpnr ?? null;
}

/** Days since the next maintenance of the asset was due (negative if it is in the future); null without a plan for the asset. */
export function dueFor(asset: Asset): number | null {
  const due = templates
    .filter(({ assets, type }) => assets.includes(asset) || (type !== null && type === typeOf(asset.sort)))
    .map(({ last, every }) => last - every);
  return due.length > 0 ? Math.max(...due) : null;
}

export function templateTable(): SeedTable {
  const { between, chance, pick } = random('wplan-data');
  const rows = templates.map(({ wpnr, name, art, assets, type, werknr, every, last }): SeedRow => {
    const [first] = assets;
    return {
      wpnr,
      wpkz: `MP-${wpnr}`,
      bez: name,
      beschr: chance(0.3) ? "According to the manufacturer's manual" : null,
      anweisung: 'Lock out the drive before opening the cover',
      art,
      prio: pick(['3', '4', '5']),
      anlagen: assets.map(({ anlnr }) => anlnr).join(' '),
      typ_anl: type,
      werknr,
      platznr: chance(0.2) ? (first?.place.platznr ?? null) : null,
      team: pick(['T-MECH', 'T-ELEC', 'T-AUTO']),
      monteur: chance(0.5) ? pick(technicians) : null,
      konto: 56_710,
      soll_min: between(2, 16) * 15,
      schritte: steps(art),
      kz_stillstand: art === 'INSP' ? 'N' : 'J',
      kz_material: art === 'PM' ? 'J' : 'N',
      gesperrt: ' ',
      faellig_am: daysAgo(last - every).toISOString(),
      letzte_am: daysAgo(last).toISOString(),
      bem: chance(0.1) ? `Ask ${pick(['production', 'quality'])} before` : null,
      angelegt: compactDay(daysAgo(1_500)),
      changed_at: daysAgo(last).toISOString(),
    };
  });
  return { table: 'wplan', rows };
}

/** Steps of a job: number, text, kind, allowed results, minutes, whether it is mandatory, hints. */
export function steps(art: string): readonly SeedRow[] {
  const step = (nr: number, text: string, typ: string, min: number, pflicht: string): SeedRow => ({
    nr,
    text,
    typ,
    auswahl: typ === 'W' ? 'Good|Worn|Replace' : null,
    min,
    pflicht,
    hinweis: pflicht === 'J' ? 'Not to be skipped' : null,
  });
  const work = { LUB: 'Grease the bearings', CAL: 'Compare with the standard', INSP: 'Look for cracks and leaks' }[art];
  return [
    step(10, 'Lock out the drive', 'A', 5, 'J'),
    step(20, work ?? 'Clean and replace worn parts', 'A', 30, 'J'),
    step(30, 'Assess the condition of the seals', 'W', 5, 'N'),
    step(40, 'Read the operating hours', 'M', 5, 'N'),
    step(50, 'Sign the release', 'U', 5, 'J'),
  ];
}

/** Each template has a time trigger; some also have a meter or condition trigger. */
export function triggerTable(): SeedTable {
  const { chance } = random('wausloeser');
  const wanted = templates.flatMap((template) => {
    const kinds = ['T', ...(chance(0.4) ? ['M'] : []), ...(chance(0.2) ? ['C'] : []), ...(chance(0.05) ? ['E'] : [])];
    return kinds.map((art) => ({ template, art }));
  });
  const rows = wanted.map(({ template, art }, index) => triggerRow(FIRST_TRIGGER + index, template, art));
  return { table: 'wausloeser', rows };
}

const wording: Readonly<Record<string, string>> = {
  M: 'Every 500 operating hours',
  C: 'When too hot',
  E: 'After a breakdown',
};

function triggerRow(wanr: number, { wpnr, name, assets, every, last }: Template, art: string): SeedRow {
  const byTime = art === 'T';
  const at = (asset: Asset, group: string) =>
    meters.find((meter) => meter.asset === asset && meter.sort.group === group);
  const group = art === 'M' ? 'M-HOURS' : art === 'C' ? 'M-TEMP' : '';
  const meter = assets.map((asset) => at(asset, group)).find((found) => found !== undefined);
  return {
    wanr,
    wakz: `TR-${wanr}`,
    bez: byTime ? `${name}: every ${every} days` : `${name}: ${wording[art]?.toLowerCase()}`,
    beschr: byTime ? "According to the manufacturer's manual" : null,
    wpnr,
    anlnr: art === 'E' ? (assets[0]?.anlnr ?? null) : (meter?.asset.anlnr ?? null),
    // Without a meter of that kind, the trigger waits for an event.
    art: byTime || meter ? art : 'E',
    zaehlnr: meter?.zaehlnr ?? null,
    abstand: byTime ? every : art === 'M' ? 500 : null,
    eh: byTime ? 'TAG' : (meter?.sort.unit ?? null),
    bed: byTime ? null : art === 'M' ? 'J' : 'G',
    schwelle: art === 'C' ? 80 : null,
    basis: byTime ? (wpnr % 3 === 0 ? 'E' : 'P') : null,
    vorlauf: byTime ? Math.min(7, every - 1) : null,
    frist: 14,
    von: dottedDay(daysAgo(1_500)),
    bis: wanr % 17 === 0 ? dottedDay(daysAgo(-400)) : null,
    kz_wdh: 'J',
    gesperrt: ' ',
    letzte_am: byTime ? daysAgo(last).toISOString() : null,
    naechste_am: byTime ? daysAgo(last - every).toISOString() : null,
    angelegt: compactDay(daysAgo(1_500)),
    changed_at: daysAgo(last).toISOString(),
  };
}
