import type { Api } from './api.ts';
import type { CallOptions } from './calls.ts';
import { receivedEvents } from './event-stream.ts';
import type { components, operations } from './generated/types.ts';
import { ServiceError } from './service-error.ts';
import { waitBeforeRetry } from './wait-before-retry.ts';

type ChangeSchema = components['schemas']['Change'];

/** A change of a record. */
export interface Change extends ChangeSchema {}

type Query = NonNullable<operations['listChanges']['parameters']['query']>;

/** Which changes to follow, and where to start. */
export interface FollowChangesOptions extends CallOptions, Pick<Query, 'entity' | 'kind' | 'include'> {
  /**
   * The `seq` of the last change that you have handled, a stored cursor, or `latest`; by default the oldest change that is kept.
   */
  readonly after?: string | number | undefined;
  /** Milliseconds without a connection to the service after which it rejects; 300,000 by default. */
  readonly timeoutMs?: number | undefined;
}

/** A call of the change log in addition to those of its collection. */
export interface ChangeFollowing {
  /**
   * Iterates over changes as they are logged, until the loop is left or `signal` aborts. If the connection is lost, it
   * reconnects without missing or repeating a change. Rejects with the error from the service if it is not temporary, such as
   * `SERVICE_CURSOR_EXPIRED`.
   */
  follow(options?: FollowChangesOptions): AsyncGenerator<Change, void, undefined>;
}

const LONGEST_OUTAGE = 300_000;
/** Number of attempts after which the wait before the next one no longer grows. */
const MOST_DOUBLED = 6;

export async function* followChanges(
  api: Api,
  { after, signal, timeoutMs = LONGEST_OUTAGE, ...selection }: FollowChangesOptions = {},
): AsyncGenerator<Change, void, undefined> {
  let cursor = after === undefined ? undefined : String(after);
  let heardAt = Date.now();
  for (let attempt = 1; ; attempt++) {
    let failure = new ServiceError('CLIENT_TIMEOUT', 'The stream of changes ends as soon as it begins.');
    try {
      for await (const { id, data } of receivedEvents(api, {
        path: '/changes',
        query: { ...selection, cursor },
        signal,
      })) {
        if (id !== undefined) cursor = id;
        attempt = 1;
        if (data !== undefined) yield JSON.parse(data) as Change;
        heardAt = Date.now();
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ServiceError) || !error.retryable) throw error;
      failure = error;
    }
    if (Date.now() - heardAt >= timeoutMs) throw failure;
    await api.delay(waitBeforeRetry(Math.min(attempt, MOST_DOUBLED), failure.retryAfterMs ?? 0), signal);
  }
}
