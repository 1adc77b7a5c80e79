import type { WebhookResponse } from '@unified/connectors';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Milliseconds between two attempts of a delivery, as Standard Webhooks recommends. */
const WAITS = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)];

/** Milliseconds from the first to the last attempt of a delivery, and until a failing endpoint is deactivated. */
export const LONGEST_MS = 72 * HOUR;

/** Longest wait before an endpoint that did not respond is called again, and before a delivery to it is repeated. */
const LONGEST_PAUSE = 15 * MINUTE;

/** Statuses with which an endpoint, or a proxy in front of it, reports that it cannot receive any delivery now. */
const OVERLOADED = new Set([429, 502, 503, 504]);

/** What an attempt means: `refused` concerns only this delivery, `unavailable` the endpoint, and `gone` is final. */
export type Outcome = 'accepted' | 'refused' | 'unavailable' | 'gone';

/** The outcome of an attempt. Redirects count as refusals, because they are not followed. */
export function outcomeOf({ status }: Pick<WebhookResponse, 'status'>): Outcome {
  if (status === null || OVERLOADED.has(status)) return 'unavailable';
  if (status === 410) return 'gone';
  return status >= 200 && status < 300 ? 'accepted' : 'refused';
}

/**
 * A duration that varies by up to 20 percent, so that deliveries that failed at the same time are not repeated at the same
 * time.
 */
function varied(ms: number, random: () => number): number {
  return Math.round(ms * (0.8 + random() * 0.4));
}

/**
 * Milliseconds for which an unavailable endpoint is not called after this number of consecutive failures (from 1). Exponential
 * with jitter, from 5 seconds to 15 minutes, or as long as the endpoint requests (in seconds).
 */
export function pauseAfter(failures: number, retryAfter = 0, random = Math.random): number {
  const wait = Math.min(LONGEST_PAUSE, 5 * SECOND * 2 ** (failures - 1));
  return Math.max(varied(wait, random), retryAfter * SECOND);
}

/** An attempt that failed; times are in milliseconds since 1970. */
export interface FailedAttempt {
  readonly outcome: 'refused' | 'unavailable' | 'gone';
  /** Number of attempts so far, including this one. */
  readonly attempts: number;
  readonly firstAttemptAt: number;
  /** When the endpoint started to fail; null if its last delivery before this one was accepted. */
  readonly failingSince: number | null;
  /** As requested in the response. */
  readonly retryAfter?: number | undefined;
}

/**
 * When a delivery is attempted again; null if it is not, because 3 days have passed since its first attempt. If the endpoint
 * has accepted nothing since then, the endpoint is deactivated instead, and the delivery is kept.
 */
export function nextAttempt(failed: FailedAttempt, now: number, random = Math.random): number | null {
  const { outcome, attempts, firstAttemptAt, failingSince, retryAfter = 0 } = failed;
  // The start of a failure is stored after the request that revealed it.
  const hasFailedSince = failingSince !== null && failingSince <= firstAttemptAt + MINUTE;
  if (now >= firstAttemptAt + LONGEST_MS && !hasFailedSince) return null;
  if (outcome === 'gone') return now;
  const wait = varied(WAITS[Math.min(attempts, WAITS.length) - 1] ?? 0, random);
  if (outcome === 'unavailable') return now + Math.min(wait, LONGEST_PAUSE);
  const next = now + Math.max(wait, retryAfter * SECOND);
  return now < firstAttemptAt + LONGEST_MS ? Math.min(next, firstAttemptAt + LONGEST_MS) : next;
}
