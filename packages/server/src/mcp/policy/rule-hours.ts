import type { ToolRule } from '@unified/store';

/** Hours during which, or outside of which, a rule applies. */
export type RuleHours = NonNullable<ToolRule['hours']>;

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** Whether a rule with these hours applies at a time in milliseconds since 1970. */
export function isInHours({ timeZone, days, from, to, outside = false }: RuleHours, now: number): boolean {
  const { day, time } = localTime(timeZone, now);
  const isInside = days.includes(day) && time >= from && time < to;
  return isInside !== outside;
}

/** Whether a time zone is known. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

function localTime(timeZone: string, now: number) {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', weekday: 'short', hour: '2-digit', minute: '2-digit' },
  });
  const parts = Object.fromEntries(format.formatToParts(now).map(({ type, value }) => [type, value]));
  const day = DAYS.find((each) => each === parts.weekday?.toLowerCase()) ?? 'sun';
  return { day, time: `${parts.hour}:${parts.minute}` };
}
