import type { WebhookResponse } from '@unified/connectors';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds between two attempts of a delivery, as Standard Webhooks recommends. */
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

/** Milliseconds from the first to the last attempt of a delivery, and after which a failing endpoint is deactivated. */
export const LONGEST_MS = 72 * HOUR;

/** Longest wait before an endpoint that did not respond is called again, and before a delivery to it is repeated. */
const LONGEST_PAUSE = 15 * MINUTE;

/** Statuses by which an endpoint, or what is in front of it, shows that it cannot receive any delivery now. */
const OVERLOADED = new Set([429, 502, 503, 504]);

/** What an attempt shows: `refused` concerns this delivery only, `unavailable` the endpoint, and `gone` is final. */
export type Outcome = 'accepted' | 'refused' | 'unavailable' | 'gone';

/** The outcome of an attempt. Redirects are refusals: they are not followed. */
export function outcomeOf({ status }: Pick<WebhookResponse, 'status'>): Outcome {
  if (status === null || OVERLOADED.has(status)) return 'unavailable';
  if (status === 410) return 'gone';
  return status >= 200 && status < 300 ? 'accepted' : 'refused';
}

/** A duration that varies by up to 20 percent, so that deliveries that failed together are not repeated together. */
function varied(ms: number, random: () => number): number {
  return Math.round(ms * (0.8 + random() * 0.4));
}

/**
 * Milliseconds for which an unavailable endpoint is not called after this number of failures in a row (from 1): exponential with
 * jitter, from 5 seconds to 15 minutes, or as long as it requests (seconds).
 */
export function pauseAfter(failures: number, retryAfter = 0, random = Math.random): number {
  const wait = Math.min(LONGEST_PAUSE, 5 * SECOND * 2 ** (failures - 1));
  return Math.max(varied(wait, random), retryAfter * SECOND);
}

/** An attempt that failed; times are in milliseconds since 1970. */
export interface FailedAttempt {
  readonly outcome: 'refused' | 'unavailable' | 'gone';
  /** Attempts so far, including this one. */
  readonly attempts: number;
  readonly firstAttemptAt: number;
  /** When the endpoint started to fail; null: its last delivery before this one was accepted. */
  readonly failingSince: number | null;
  /** As in the response. */
  readonly retryAfter?: number | undefined;
}

/**
 * When a delivery is attempted again; null: no longer, because 3 days have passed since its first attempt. If the endpoint has
 * accepted nothing since then, it is deactivated instead, and the delivery is kept.
 */
export function nextAttempt(failed: FailedAttempt, now: number, random = Math.random): number | null {
  const { outcome, attempts, firstAttemptAt, failingSince, retryAfter = 0 } = failed;
  // The start of a failure is stored after the request that showed it.
  const hasFailedSince = failingSince !== null && failingSince <= firstAttemptAt + MINUTE;
  if (now >= firstAttemptAt + LONGEST_MS && !hasFailedSince) return null;
  if (outcome === 'gone') return now;
  const wait = varied(WAITS[Math.min(attempts, WAITS.length) - 1] ?? 0, random);
  if (outcome === 'unavailable') return now + Math.min(wait, LONGEST_PAUSE);
  const next = now + Math.max(wait, retryAfter * SECOND);
  return now < firstAttemptAt + LONGEST_MS ? Math.min(next, firstAttemptAt + LONGEST_MS) : next;
}
