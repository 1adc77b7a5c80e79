import { compactDay } from '../../time.ts';
import { periods } from '../ledger/fiscal-years.ts';

const CALENDAR_YEAR = 1;
const APRIL_TO_MARCH = 2;

/** Number of the period in which a company posts on a date; null if it has none. */
export function accountingPeriod(mand: string, date: Date): number | null {
  const day = compactDay(date);
  const own = mand === '020' ? APRIL_TO_MARCH : CALENDAR_YEAR;
  const found = periods.find(
    ({ calendar, from, to, isAdjustment }) => calendar === own && !isAdjustment && from <= day && day <= to,
  );
  return found?.pernr ?? null;
}
