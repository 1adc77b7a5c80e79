import type { SeedRow } from '../../row.ts';
import { compactDay, daysAgo, withComma } from '../../time.ts';

const DAY = 86_400_000;
const PAST = 12;
const AHEAD = 12;
const monthsIn: Readonly<Record<string, number>> = { M: 1, Q: 3, J: 12 };

/** What the rent of a lease depends on; numbers of days count back from today. */
export interface Rent {
  readonly begins: number;
  readonly ends: number | null;
  readonly turnus: string;
  readonly monthly: number;
}

/**
 * The rent of up to twelve months before today and twelve months after it, by billing period; for part of a period at the
 * beginning or end of the lease, it is due in proportion to the days.
 */
export function rentSchedule({ begins, ends, turnus, monthly }: Rent): SeedRow[] {
  const months = monthsIn[turnus] ?? 1;
  const today = daysAgo(0);
  const first = firstOfMonth(today, -PAST);
  const schedule = Array.from({ length: Math.ceil((PAST + AHEAD) / months) }, (_, index) => {
    const from = firstOfMonth(first, index * months);
    const until = new Date(firstOfMonth(from, months).getTime() - DAY);
    return { from, until };
  });
  const [start, end] = [startOfDay(daysAgo(begins)), ends === null ? null : startOfDay(daysAgo(ends))];
  return schedule
    .filter(({ from, until }) => until >= start && (end === null || from <= end))
    .map((period): SeedRow => {
      const from = new Date(Math.max(Number(period.from), Number(start)));
      const until = new Date(Math.min(Number(period.until), Number(end ?? period.until)));
      const due = new Date(from.getTime() + 2 * DAY);
      const share = (until.getTime() - from.getTime() + DAY) / (period.until.getTime() - period.from.getTime() + DAY);
      return {
        von: compactDay(from),
        bis: compactDay(until),
        faellig: compactDay(due),
        betrag: withComma(Math.round(monthly * months * share) / 100),
        stand: until < today ? 'B' : due < today ? 'O' : 'P',
      };
    });
}

function startOfDay(date: Date): Date {
  return new Date(Math.floor(date.getTime() / DAY) * DAY);
}

/** Charges: operating costs for every lease, heating for apartments, parking for some other leases. */
export function rentCharges({ begins, monthly }: Rent, mvnr: number, isHome: boolean): SeedRow[] {
  const since = compactDay(daysAgo(begins));
  const charge = (art: string, text: string | null, cents: number, turnus: string) => ({
    ...{ art, text, turnus, von: since, bis: null },
    betrag: withComma(Math.round(cents) / 100),
  });
  return [
    charge('B', null, monthly / 8, 'M'),
    ...(isHome ? [charge('H', 'Advance payment', monthly / 10, 'M')] : []),
    ...(mvnr % 3 === 0 ? [charge('P', 'Two parking spaces', 9_000, 'M')] : []),
    ...(mvnr % 5 === 0 ? [charge('V', null, monthly / 4, 'J')] : []),
    ...(mvnr % 7 === 0 ? [{ ...charge('S', 'Handover protocol', 15_000, 'E'), bis: since }] : []),
  ];
}

function firstOfMonth(date: Date, months: number): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1));
}
