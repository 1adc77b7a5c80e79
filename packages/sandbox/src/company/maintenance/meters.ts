import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo } from '../../time.ts';
import { technicians } from '../master/people.ts';
import { type Asset, assets, machines } from './assets.ts';
import type { WorkOrder } from './work-order.ts';

const FIRST_METER = 82_001;
const FIRST_READING = 830_001;
const READINGS = 9;

interface MeterSort {
  readonly name: string;
  readonly group: string;
  readonly unit: string;
  /** L(aufend): grows. P(egel): goes up and down. B(eobachtung): is observed. */
  readonly art: 'L' | 'P' | 'B';
  /** Increase per day, or the value that it stays near. */
  readonly rate: number;
  readonly low: number | null;
  readonly high: number | null;
}

export interface Meter {
  readonly zaehlnr: number;
  readonly asset: Asset;
  readonly sort: MeterSort;
}

const hours: MeterSort = {
  name: 'Operating hours',
  group: 'M-HOURS',
  unit: 'H',
  art: 'L',
  rate: 15.5,
  low: null,
  high: null,
};
const cycles: MeterSort = {
  name: 'Cycles',
  group: 'M-CYCLE',
  unit: 'STK',
  art: 'L',
  rate: 1_800,
  low: null,
  high: null,
};
const distance: MeterSort = {
  name: 'Distance',
  group: 'M-DIST',
  unit: 'KM',
  art: 'L',
  rate: 22,
  low: null,
  high: null,
};
const heat: MeterSort = { name: 'Temperature', group: 'M-TEMP', unit: 'GRC', art: 'P', rate: 62, low: 5, high: 90 };
const pressure: MeterSort = { name: 'Pressure', group: 'M-PRESS', unit: 'BAR', art: 'P', rate: 6.4, low: 5, high: 8 };
const wear: MeterSort = { name: 'Wear of the seals', group: 'M-WEAR', unit: 'STK', art: 'B', rate: 3, low: 1, high: 5 };

const measured: Readonly<Record<string, readonly MeterSort[]>> = {
  Conveyor: [hours],
  'Case packer': [cycles],
  Compressor: [hours, pressure],
  Pump: [hours, wear],
  Press: [cycles, heat],
  'Cooling unit': [heat],
  Forklift: [distance],
};

/** Meters of the machines and vehicles with even numbers, if their kind is measured. */
export const meters: readonly Meter[] = [...machines, ...assets.filter(({ sort: { art } }) => art === 'F')]
  .filter(({ anlnr }) => anlnr % 2 === 0)
  .flatMap((asset) => (measured[asset.sort.name] ?? []).map((sort) => ({ asset, sort })))
  .map((meter, index) => ({ zaehlnr: FIRST_METER + index, ...meter }));

interface Reading {
  readonly meter: Meter;
  readonly days: number;
  readonly value: number;
  readonly order: WorkOrder | null;
}

/** Meters with their readings: some scheduled, some taken during work on the asset. */
export function meterTables(orders: readonly WorkOrder[]): SeedTable[] {
  const random_ = random('zaehler');
  const done = Map.groupBy(
    orders.filter(({ wpnr, end }) => wpnr !== null && end !== null),
    ({ anlnr }) => anlnr,
  );
  const read = meters.map((meter) => readingsOf(meter, (done.get(meter.asset.anlnr) ?? []).slice(0, 3), random_));
  const rows = read.flatMap((list) => list.map((reading, index) => readingRow(reading, list[index - 1], random_)));
  return [
    { table: 'zaehler', rows: meters.map((meter, index) => meterRow(meter, read[index]?.at(-1), random_)) },
    { table: 'zaehlstand', rows: rows.map((row, index) => ({ ...numbered(FIRST_READING + index), ...row })) },
  ];
}

function readingsOf(meter: Meter, orders: readonly WorkOrder[], { between }: Random): Reading[] {
  const { art, rate } = meter.sort;
  const value = (days: number) =>
    art === 'L' ? Math.round((1_500 - days) * rate * 10) / 10 : Math.round(rate * (80 + between(0, 40))) / 100;
  const planned = Array.from({ length: READINGS }, (_, index) => ({ days: 7 * index + between(1, 6), order: null }));
  const during = orders.map((order) => ({ days: order.end ?? 0, order }));
  const all = [...planned, ...during].sort((one, other) => other.days - one.days);
  const judged = (days: number) => (art === 'B' ? between(1, 5) : value(days));
  return all.map(({ days, order }) => ({ meter, days, order, value: judged(days) }));
}

function meterRow(
  { zaehlnr, asset, sort }: Meter,
  last: Reading | undefined,
  { between, chance, pick }: Random,
): SeedRow {
  return {
    zaehlnr,
    zkz: `MT-${zaehlnr}`,
    bez: `${sort.name} ${asset.name}`,
    beschr: chance(0.3) ? 'Display at the control cabinet' : null,
    anlnr: asset.anlnr,
    platznr: asset.place.platznr,
    eh: sort.unit,
    art: sort.art,
    gruppe: sort.group,
    ableser: [pick(technicians), ...(chance(0.3) ? [4_711] : [])].join(' '),
    turnus: 7,
    ueberlauf: sort.art === 'L' ? 10_000_000 : null,
    min_wert: sort.low,
    max_wert: sort.high,
    stand: last?.value ?? null,
    stand_am: last ? compactTime(daysAgo(last.days)) : null,
    gesperrt: asset.status === '90' ? 'X' : ' ',
    angelegt: compactDay(daysAgo(1_500)),
    changed_at: daysAgo((last?.days ?? 100) - between(0, 10) / 1_440).toISOString(),
  };
}

const numbered = (zsnr: number) => ({ zsnr, zskz: `MR-${zsnr}` });

function readingRow(reading: Reading, before: Reading | undefined, { chance, pick }: Random): SeedRow {
  const { meter, days, value, order } = reading;
  const at = daysAgo(days);
  const source = order ? 'A' : pick(['M', 'M', 'M', 'S', 'I']);
  return {
    beschr: source === 'I' && reading.days < 30 ? 'Read from the controller' : null,
    zaehlnr: meter.zaehlnr,
    anlnr: meter.asset.anlnr,
    wert: value,
    delta: before ? Math.round((value - before.value) * 1_000) / 1_000 : null,
    eh: meter.sort.unit,
    gelesen: compactTime(at),
    ableser: source === 'S' ? null : pick(technicians),
    quelle: source,
    aufid: order?.aufid ?? null,
    kz_ueberlauf: 'N',
    bem: chance(0.05) ? 'Display hard to read' : null,
    angelegt: compactDay(at),
    changed_at: at.toISOString(),
  };
}
