import { compactDay, daysAgo, isoDay } from '../time.ts';
import { FIRST } from './derived-table.ts';

/**
 * Consistent values of several fields of a row of a derived table, by field; the other fields are derived. A relation is the code
 * of its target or, if it accepts several kinds, the kind.
 */
export type Case = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

const weekdays = { MO: 'Monday', TU: 'Tuesday', WE: 'Wednesday', TH: 'Thursday', FR: 'Friday' };
const quarters = { 1: 'January', 4: 'April', 6: 'June', 7: 'July', 9: 'September', 10: 'October', 12: 'December' };
const every = (count: number, one: string, many: string) => (count === 1 ? one : many.replace('#', String(count)));

/** Recurrence rules of calendars and maintenance plans. */
const recurrences: readonly Case[] = [
  ...[1, 2, 4, 8].map((count) => rule(every(count, 'Every hour', 'Every # hours'), 'hourly', count)),
  ...[1, 2, 3].map((count) => rule(every(count, 'Every day', 'Every # days'), 'daily', count)),
  rule('On working days', 'weekly', 1, { days: Object.keys(weekdays) }),
  rule('Mondays and Thursdays', 'weekly', 1, { days: ['MO', 'TH'] }),
  ...Object.entries(weekdays).flatMap(([day, name]) => [
    rule(`Every ${name}`, 'weekly', 1, { days: [day] }),
    rule(`Every second ${name}`, 'weekly', 2, { days: [day] }),
    rule(`First ${name} of the month`, 'monthly', 1, { days: [day], week: 1 }),
    rule(`Last ${name} of the month`, 'monthly', 1, { days: [day], week: 5 }),
  ]),
  ...[1, 2, 3, 6].map((count) =>
    rule(every(count, 'First of the month', 'First of every # months'), 'monthly', count, { dayOfMonth: 1 }),
  ),
  ...Object.entries(quarters).map(([month, name]) =>
    rule(`Yearly in ${name}`, 'yearly', 1, { month: Number(month), dayOfMonth: 15 }),
  ),
];

interface On {
  readonly days?: readonly string[];
  readonly dayOfMonth?: number;
  readonly month?: number;
  /** 5 means the last. */
  readonly week?: number;
}

function rule(name: string, frequency: string, interval: number, { days, dayOfMonth, month, week }: On = {}): Case {
  const count = frequency === 'daily' ? 24 : null;
  const until = frequency === 'yearly' ? daysAgo(-400) : null;
  const parts = [
    `FREQ=${frequency.toUpperCase()};INTERVAL=${interval}`,
    days && `BYDAY=${days.map((day) => (week ? `${week === 5 ? -1 : week}${day}` : day)).join(',')}`,
    dayOfMonth && `BYMONTHDAY=${dayOfMonth}`,
    month && `BYMONTH=${month}`,
    count && `COUNT=${count}`,
    until && `UNTIL=${compactDay(until)}`,
  ];
  const fields = { dayOfMonth: dayOfMonth ?? null, monthOfYear: month ?? null, weekOfMonth: week ?? null };
  const ends = { count, endDate: until && isoDay(until), rrule: parts.filter((part) => part).join(';') };
  return { name, frequency, interval, daysOfWeek: days ?? [], ...fields, ...ends };
}

function event(
  eventType: string,
  subject: string,
  severity: string | null,
  names: readonly [string, string][],
): Case[] {
  const isAllDay = eventType === 'EV-AUDIT';
  return names.map(([name, description]) => ({
    name,
    description,
    eventType,
    subject,
    severity,
    isAllDay,
    status: 'over',
  }));
}

const events: readonly Case[] = [
  ...event('EV-DOWN', 'Asset', 'medium', [
    ['Machine is down', 'Hydraulic hose burst'],
    ['Drive stopped', 'Drive overheated'],
    ['Line is down', 'Waiting for material'],
  ]),
  ...event('EV-POWER', 'Location', 'high', [['No power in the building', 'Work on the main switch']]),
  ...event('EV-MEET', 'WorkOrder', null, [
    ['Maintenance planning', 'Jobs of the coming week'],
    ['Shift handover', 'What the next shift needs to know'],
  ]),
  ...event('EV-TRAIN', 'Employee', null, [
    ['Forklift license', 'Yearly instruction'],
    ['Lockout training', 'For all technicians'],
  ]),
  ...event('EV-AUDIT', 'Vendor', null, [['Audit at the vendor', 'ISO 9001']]),
  ...event('EV-AUDIT', 'Customer', null, [['Audit by the customer', 'ISO 9001']]),
  ...event('EV-INSP', 'Asset', null, [['Inspection of pressure vessels', 'By the certified body']]),
  ...event('EV-ACC', 'Employee', 'low', [['Cut on the hand', 'First aid on site']]),
];

/** Cases by entity. The rows of its table use them in turn. */
const cases: Readonly<Record<string, readonly Case[]>> = { EventRecurrence: recurrences, Event: events };

/** The case of a row, by its position; empty for entities without cases. */
export function caseOf(entity: string, index: number): Case {
  const all = cases[entity] ?? [];
  return all[index % all.length] ?? {};
}

/** Number of the first row whose case has this name; null if none has it. */
export function numberOf(entity: string, name: string): number | null {
  const index = cases[entity]?.findIndex((each) => each.name === name) ?? -1;
  return index === -1 ? null : FIRST + index;
}
