import { asOwner } from '../access/store.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';

/** A limit on calls in a period. */
export interface CallLimit {
  readonly most: number;
  /** Whole seconds until the next period. */
  readonly seconds: number;
}

/** How many calls a user can make per hour, and an application per calendar month in UTC; null means that there is no limit. */
export interface CallLimits {
  readonly hourly: number | null;
  readonly monthly: number | null;
}

/** A limit that a call exceeds: per user and hour, or per application and month. */
export interface Exceeded extends CallLimit {
  readonly limit: 'hour' | 'month';
}

/** What is counted: the calls of a user in an hour, or of an application in a calendar month in UTC. */
interface Counted {
  readonly limit: Exceeded['limit'];
  readonly counter: string;
  readonly most: number;
}

/** The counter of a user. */
export function counterOfUser(userId: string): string {
  return `user ${userId}`;
}

/** The counter of an application. */
export function counterOfApplication({ applicationId }: EndCustomerScope): string {
  return `application ${applicationId}`;
}

/**
 * Counts a call of a user. If it exceeds the limit of the user per hour, or of the application per calendar month in UTC, it is
 * not counted and the limit is returned. This holds for concurrent calls as well. A limit of null means no limit, and nothing
 * is counted for it.
 */
export async function countCall(
  scope: EndCustomerScope,
  userId: string,
  { hourly, monthly }: CallLimits,
): Promise<Exceeded | null> {
  const limits: readonly Counted[] = [
    ...(hourly === null ? [] : [{ limit: 'hour' as const, counter: counterOfUser(userId), most: hourly }]),
    ...(monthly === null ? [] : [{ limit: 'month' as const, counter: counterOfApplication(scope), most: monthly }]),
  ];
  for (const counted of limits) {
    const seconds = await secondsLeft(scope, counted);
    if (seconds !== null) return { limit: counted.limit, most: counted.most, seconds };
  }
  return null;
}

/**
 * Null if the call was counted; otherwise the seconds until the next period. Does not wait for the disk: a count may miss the calls
 * of the last 0.6 seconds before PostgreSQL stops unexpectedly.
 */
async function secondsLeft(scope: EndCustomerScope, { limit: unit, counter, most }: Counted): Promise<number | null> {
  const { rows } = await asOwner<{ seconds: number; counted: boolean }>(storeOfCustomer(scope), {
    name: `count_call_by_${unit}`,
    text: `with counting as (${countingSql(unit, { counter: '$1::text', most: '$2::int', where: UNFLUSHED })})
           select exists (select from counting) as counted,
                  ceil(extract(epoch from ${endOf(unit)} - now()))::int as seconds`,
    values: [counter, most],
  });
  const [found] = rows;
  if (!found) throw new Error('The call was not counted.');
  return found.counted ? null : Math.max(1, found.seconds);
}

/** A condition that is met; the transaction then commits without waiting for the disk. */
export const UNFLUSHED = `set_config('synchronous_commit', 'off', true) = 'off'`;

/** SQL that counts a call and returns a row, unless `most` have been counted. The parts are SQL as well. */
export function countingSql(
  unit: Exceeded['limit'],
  { counter, most, where }: Readonly<Record<'counter' | 'most' | 'where', string>>,
): string {
  return `insert into unified.tool_call_counts as c (counter, period, calls, "endsAt")
          select ${counter}, '${unit} ' || ${startOf(unit)}, 1, ${endOf(unit)} where ${most} > 0 and ${where}
          on conflict (counter, period) do update set calls = c.calls + 1 where c.calls < ${most}
          returning 1`;
}

function startOf(unit: Exceeded['limit']): string {
  return `date_trunc('${unit}', now() at time zone 'UTC')`;
}

function endOf(unit: Exceeded['limit']): string {
  return `(${startOf(unit)} + interval '1 ${unit}') at time zone 'UTC'`;
}
