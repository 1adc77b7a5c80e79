import { type Random, random } from '../../random.ts';
import type { SeedRow, SeedTable } from '../../row.ts';
import { compactDay, compactTime, daysAgo, dottedDay } from '../../time.ts';
import { machines } from '../maintenance/assets.ts';
import { customers, vendors } from '../master/partners.ts';
import { foremen, people, technicians } from '../master/people.ts';
import { places } from '../master/places.ts';

const FIRST_RULE = 52_001;
const FIRST_EVENT = 53_001;
const EVENTS = 240;
const FIRST_WORK_ORDER = 400_010_001;
const weekdays = { MO: 'Monday', TU: 'Tuesday', WE: 'Wednesday', TH: 'Thursday', FR: 'Friday' };
const months = 'January February March April May June July August September October November December'.split(' ');

interface Rule {
  readonly name: string;
  /** S(tunde) T(ag) W(oche) M(onat) J(ahr). */
  readonly unit: 'S' | 'T' | 'W' | 'M' | 'J';
  readonly every: number;
  readonly days?: string;
  readonly dayOfMonth?: number;
  readonly month?: number;
  /** 5 is the last. */
  readonly week?: number;
}

/** Rules that calendars and maintenance plans choose from. */
const rules: readonly Rule[] = [
  ...[1, 2, 4, 8].map(
    (every): Rule => ({ name: every === 1 ? 'Every hour' : `Every ${every} hours`, unit: 'S', every }),
  ),
  ...[1, 2, 3].map((every): Rule => ({ name: every === 1 ? 'Every day' : `Every ${every} days`, unit: 'T', every })),
  { name: 'On working days', unit: 'W', every: 1, days: Object.keys(weekdays).join(' ') },
  { name: 'Mondays and Thursdays', unit: 'W', every: 1, days: 'MO TH' },
  ...Object.entries(weekdays).flatMap(([days, name]): Rule[] => [
    { name: `Every ${name}`, unit: 'W', every: 1, days },
    { name: `Every second ${name}`, unit: 'W', every: 2, days },
    { name: `Every fourth ${name}`, unit: 'W', every: 4, days },
    { name: `First ${name} of the month`, unit: 'M', every: 1, days, week: 1 },
    { name: `Last ${name} of the month`, unit: 'M', every: 1, days, week: 5 },
  ]),
  ...[1, 2, 3, 6].map(
    (every): Rule => ({
      name: every === 1 ? 'First of the month' : `First of every ${every} months`,
      unit: 'M',
      every,
      dayOfMonth: 1,
    }),
  ),
  ...months.map(
    (name, index): Rule => ({ name: `Yearly in ${name}`, unit: 'J', every: 1, month: index + 1, dayOfMonth: 15 }),
  ),
];

/** Rules of recurrence, and events of a year and of the weeks to come. */
export function calendarTables(): SeedTable[] {
  const random_ = random('termin');
  return [
    { table: 'wiederholung', rows: rules.map(ruleRow) },
    { table: 'termin', rows: Array.from({ length: EVENTS }, (_, index) => event(FIRST_EVENT + index, random_)) },
  ];
}

function ruleRow(rule: Rule, index: number): SeedRow {
  const count = index % 10 === 3 ? 24 : null;
  const until = index % 10 === 7 ? daysAgo(-400) : null;
  return {
    wdhnr: FIRST_RULE + index,
    kz: `RC-${FIRST_RULE + index}`,
    bez: rule.name,
    beschr: rule.unit === 'J' ? 'Demanded by the insurer' : null,
    takt: rule.unit,
    abstand: rule.every,
    tage: rule.days ?? null,
    monatstag: rule.dayOfMonth ?? null,
    monat: rule.month ?? null,
    monatswoche: rule.week ?? null,
    von: dottedDay(daysAgo(319)),
    bis: until && dottedDay(until),
    anzahl: count,
    zeitzone: 'Europe/Berlin',
    regel: asText(rule, count, until),
    angelegt: compactDay(daysAgo(320)),
    changed_at: daysAgo(300 - index).toISOString(),
  };
}

/** The rule as RFC 5545 writes it. */
function asText(
  { unit, every, days, dayOfMonth, month, week }: Rule,
  count: number | null,
  until: Date | null,
): string {
  const frequency = { S: 'HOURLY', T: 'DAILY', W: 'WEEKLY', M: 'MONTHLY', J: 'YEARLY' }[unit];
  const byDay = days?.split(' ').map((day) => (week === undefined ? day : `${week === 5 ? -1 : week}${day}`));
  return [
    `FREQ=${frequency}`,
    `INTERVAL=${every}`,
    byDay && `BYDAY=${byDay.join(',')}`,
    dayOfMonth && `BYMONTHDAY=${dayOfMonth}`,
    month && `BYMONTH=${month}`,
    count && `COUNT=${count}`,
    until && `UNTIL=${compactDay(until)}`,
  ]
    .filter((part) => part)
    .join(';');
}

type Kind = keyof typeof kinds;
const kinds = { 'EV-DOWN': 40, 'EV-POWER': 4, 'EV-MEET': 25, 'EV-TRAIN': 12, 'EV-AUDIT': 8, 'EV-INSP': 8, 'EV-ACC': 3 };
const lines = places.filter(({ kind }) => kind === 'line');
const rooms = places.filter(({ kind }) => kind === 'room');

function event(terminnr: number, random_: Random): SeedRow {
  const { between, chance, pick, weighted } = random_;
  const kind = weighted(kinds);
  const isUnforeseen = ['EV-DOWN', 'EV-POWER', 'EV-ACC'].includes(kind);
  const days = between(isUnforeseen ? 0 : -30, 360) + between(60, 1_439) / 1_440;
  const hours = between(1, kind === 'EV-DOWN' ? 30 : 6) / 2;
  const end = days - hours / 24;
  const isGoingOn = end < 0 && days >= 0;
  const { subject, place, name, about } = matterOf(kind, random_);
  const isAllDay = kind === 'EV-AUDIT' && chance(0.6);
  return {
    terminnr,
    kz: `EV-${terminnr}`,
    bez: name,
    beschr: about,
    art: kind,
    bezug_art: subject[0],
    bezug: subject[1],
    von: compactTime(daysAgo(days)),
    bis: isUnforeseen && isGoingOn ? null : compactTime(daysAgo(end)),
    kz_ganztag: isAllDay ? 'J' : 'N',
    schwere: isUnforeseen ? weighted({ low: 50, medium: 35, high: 15 }) : null,
    zustand: isGoingOn ? 'under way' : end < 0 ? 'planned' : 'over',
    wdhnr: kind === 'EV-MEET' || kind === 'EV-INSP' ? FIRST_RULE + between(4, rules.length - 1) : null,
    leiter: isUnforeseen ? null : pick(foremen),
    teilnehmer: isUnforeseen
      ? null
      : Array.from({ length: between(2, 6) }, (_, seat) => technicians[seat * 7 + between(0, 6)]).join(' '),
    platznr: place,
    bem: chance(0.1) ? 'Second time this year' : null,
    angelegt: compactDay(daysAgo(Math.max(days, 0) + (isUnforeseen ? 0 : 10))),
    changed_at: daysAgo(Math.max(end, 0.1)).toISOString(),
  };
}

interface Matter {
  readonly subject: readonly [kind: string | null, number: number | null];
  readonly place: number;
  readonly name: string;
  readonly about: string | null;
}

/** What an event of the kind is about, and where it takes place. */
function matterOf(kind: Kind, { between, chance, pick }: Random): Matter {
  const line = pick(lines);
  const room = pick(rooms).platznr;
  const order = FIRST_WORK_ORDER + between(0, 9_999);
  switch (kind) {
    case 'EV-DOWN': {
      const about = pick(['Hydraulic hose burst', 'Drive overheated', 'Sensor gave no signal', 'Waiting for material']);
      const subject = chance(0.3) ? (['A', order] as const) : (['F', line.platznr] as const);
      if (chance(0.5)) {
        const { anlnr, name, place } = pick(machines);
        return { subject: ['G', anlnr], place: place.platznr, name: `${name} stands still`, about };
      }
      return { subject, place: line.platznr, name: `${line.name} stands still`, about };
    }
    case 'EV-POWER':
      return { subject: ['F', line.platznr], place: line.platznr, name: `No power at ${line.name}`, about: null };
    case 'EV-ACC':
      return {
        subject: ['P', pick(technicians)],
        place: line.platznr,
        name: 'Cut on the hand',
        about: 'First aid on the spot',
      };
    case 'EV-TRAIN':
      return {
        subject: ['P', pick(people).persnr],
        place: room,
        name: pick(['Forklift licence', 'Lockout training', 'First aid course']),
        about: null,
      };
    case 'EV-AUDIT': {
      const [art, { number, name }] = chance(0.5) ? (['L', pick(vendors)] as const) : (['K', pick(customers)] as const);
      return { subject: [art, number], place: room, name: `Audit with ${name}`, about: 'ISO 9001' };
    }
    case 'EV-INSP':
      return {
        subject: ['F', line.platznr],
        place: line.platznr,
        name: `Pressure vessels of ${line.name}`,
        about: null,
      };
    default:
      return {
        subject: [null, null],
        place: room,
        name: pick(['Toolbox talk', 'Maintenance planning', 'Shift handover']),
        about: null,
      };
  }
}
