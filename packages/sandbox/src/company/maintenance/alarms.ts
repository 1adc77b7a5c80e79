import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo } from '../../time.ts';
import { userNumbers } from '../master/users.ts';
import { type Asset, assets, machines } from './assets.ts';
import { meters } from './meters.ts';
import type { WorkOrder } from './work-order.ts';

const COUNT = 160;
const WITH_ORDER = 140;
const FIRST = 87_001;

/** Fault, code, severity, and group of the meter that detects it. */
const signals: readonly (readonly [string, string, string, string])[] = [
  ['Temperature too high', 'TMP-HI', '3', 'M-TEMP'],
  ['Pressure too low', 'PRS-LO', '2', 'M-PRESS'],
  ['Drive overloaded', 'DRV-OL', '3', ''],
  ['Emergency stop', 'E-STOP', '4', ''],
  ['Filter is full', 'FLT-1', '1', ''],
  ['Program changed', 'PRG-1', '0', ''],
];
const assetBy = new Map(assets.map((asset) => [asset.anlnr, asset]));

/** Alarms of recent months; alarms for breakdowns have an order. */
export function alarmTable(orders: readonly WorkOrder[]): SeedTable {
  const random_ = random('alarm');
  const breakdowns = orders.filter(({ art }) => art === 'EM').slice(-WITH_ORDER);
  const answered = breakdowns.flatMap((order) => {
    const asset = assetBy.get(order.anlnr);
    return asset ? [alarm(asset, order.reported + 0.05, order, random_)] : [];
  });
  const others = Array.from({ length: COUNT }, () =>
    alarm(random_.pick(machines), random_.between(0, 120) + random_.next(), null, random_),
  );
  const rows = [...answered, ...others].map((row, index) => ({
    alarmnr: FIRST + index,
    alkz: `AL-${FIRST + index}`,
    ...row,
  }));
  return { table: 'alarm', rows };
}

function alarm(
  asset: Asset,
  days: number,
  order: WorkOrder | null,
  { between, chance, pick, weighted }: Random,
): SeedRow {
  const [what, signal, stufe, group] = pick(signals);
  const meter = meters.find((each) => each.asset === asset && each.sort.group === group);
  const isOver = order === null ? days > 3 : order.end !== null;
  const user = userNumbers[Math.floor(days) % userNumbers.length] ?? null;
  const status = isOver ? 'G' : weighted({ A: 2, Q: 1 });
  const limit = meter ? (signal === 'PRS-LO' ? meter.sort.low : meter.sort.high) : null;
  const beyond = signal === 'PRS-LO' ? -between(1, 15) / 10 : between(1, 90) / 10;
  const value = limit === null ? null : Math.round((limit + beyond) * 10) / 10;
  return {
    bez: `${what}: ${asset.name}`,
    beschr: chance(0.2) ? 'Stop the drive if it recurs' : null,
    anlnr: asset.anlnr,
    zaehlnr: meter?.zaehlnr ?? null,
    platznr: asset.place.platznr,
    stufe: order ? '4' : stufe,
    status,
    signal,
    meldetext: value === null ? null : `${value} ${meter?.sort.unit}, limit ${limit}`,
    wert: value,
    grenze: limit,
    eh: meter?.sort.unit ?? null,
    zeit: compactTime(daysAgo(days)),
    quittiert_am: status === 'A' ? null : daysAgo(Math.max(days - 0.02, 0)).toISOString(),
    quittierer: status === 'A' ? null : user,
    geschlossen_am: isOver ? daysAgo(order?.end ?? days - 0.5).toISOString() : null,
    schliesser: isOver ? user : null,
    grund: isOver ? (order ? 'Q-DONE' : pick(['Q-DONE', 'Q-FALSE', 'Q-SELF', 'Q-LIMIT'])) : null,
    aufid: order?.aufid ?? null,
    quelle: `PLC ${asset.place.name}`,
    angelegt: compactDay(daysAgo(days)),
    changed_at: daysAgo(isOver ? (order?.end ?? days - 0.5) : Math.max(days - 0.02, 0)).toISOString(),
  };
}
