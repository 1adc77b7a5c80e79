import { asOwner, type Store } from '../access/store.ts';

/** Requests that a process has counted since it last added them. */
export interface NewRequests {
  /** What they count for. */
  readonly key: string;
  readonly requests: number;
}

/** The requests of all processes in a window. */
export interface RequestCount {
  readonly key: string;
  readonly requests: number;
  /** Milliseconds until the window ends, more than 0. */
  readonly ms: number;
}

/** In the order of the keys, so that processes cannot wait for each other in a circle. */
const ADD = `
  insert into unified.request_counts as counted (key, requests, "endsAt")
  select key, requests, now() + make_interval(secs => $3::int)
    from unnest($1::text[], $2::int[]) added (key, requests) order by key
  on conflict (key) do update set
    requests = excluded.requests + case when counted."endsAt" > now() then counted.requests else 0 end,
    "endsAt" = case when counted."endsAt" > now() then counted."endsAt" else excluded."endsAt" end
  returning key, requests, greatest(1, extract(epoch from "endsAt" - now()) * 1000)::float8 as ms`;

/**
 * Adds requests to the windows of their keys, each key once, and returns the requests of all processes in these windows. A window
 * begins with the first request after the previous one has ended, and lasts `windowSeconds`. Does not wait for the disk. Throws
 * SERVICE_UNAVAILABLE.
 */
export async function addRequestCounts(
  store: Store,
  added: readonly NewRequests[],
  windowSeconds: number,
): Promise<RequestCount[]> {
  const values = [added.map(({ key }) => key), added.map(({ requests }) => `${requests}`), windowSeconds];
  const { rows } = await asOwner<RequestCount & Record<string, unknown>>(store, ADD, values);
  return rows;
}

/** Deletes the counts of windows that have ended. Those that a process counts at the moment are left to the next call. */
export async function forgetRequestCounts(store: Store): Promise<void> {
  const ended = `select key from unified.request_counts where "endsAt" <= now() for update skip locked`;
  await asOwner(store, `delete from unified.request_counts where key in (${ended})`, []);
}
