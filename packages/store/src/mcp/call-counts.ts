import { asOwner } from '../access/store.ts';
import { type EndCustomerScope, storeOfCustomer } from './end-customer-scope.ts';

/** A limit on calls in a period. */
export interface CallLimit {
  readonly most: number;
  /** Whole seconds until the next period. */
  readonly seconds: number;
}

/** A limit that a call exceeds: per user and hour, or per application and month. */
export interface Exceeded extends CallLimit {
  readonly limit: 'hour' | 'month';
}

/**
 * Counts a call of a user. If it exceeds the limit of the user per hour, or of the application per calendar month in UTC, it is
 * not counted and the limit is returned. This holds for concurrent calls as well. A limit of null means no limit, and nothing
 * is counted for it.
 */
export async function countCall(
  scope: EndCustomerScope,
  userId: string,
  { hourly, monthly }: { readonly hourly: number | null; readonly monthly: number | null },
): Promise<Exceeded | null> {
  const limits = [
    { limit: 'hour', counter: `user ${userId}`, most: hourly },
    { limit: 'month', counter: `application ${scope.applicationId}`, most: monthly },
  ] as const;
  for (const { limit, counter, most } of limits) {
    const seconds = most === null ? null : await counted(scope, { counter, unit: limit }, most);
    if (most !== null && seconds !== null) return { limit, most, seconds };
  }
  return null;
}

/** Null if the call was counted; otherwise the seconds until the next period. */
async function counted(
  scope: EndCustomerScope,
  { counter, unit }: { readonly counter: string; readonly unit: 'hour' | 'month' },
  most: number,
): Promise<number | null> {
  const period = `date_trunc('${unit}', now() at time zone 'UTC')`;
  const endsAt = `(${period} + interval '1 ${unit}') at time zone 'UTC'`;
  const { rows } = await asOwner<{ seconds: number; counted: boolean }>(
    storeOfCustomer(scope),
    `with counting as (
       insert into unified.tool_call_counts as c (counter, period, calls, "endsAt")
       select $1, '${unit} ' || ${period}, 1, ${endsAt} where $2 > 0
       on conflict (counter, period) do update set calls = c.calls + 1 where c.calls < $2
       returning 1)
     select exists (select from counting) as counted, ceil(extract(epoch from ${endsAt} - now()))::int as seconds`,
    [counter, most],
  );
  const [found] = rows;
  if (!found) throw new Error('The call was not counted.');
  return found.counted ? null : Math.max(1, found.seconds);
}
