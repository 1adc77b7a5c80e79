import { setTimeout as pause } from 'node:timers/promises';

/** Longest pause in milliseconds. */
const LONGEST_MS = 1_000;

/**
 * Pauses after a step that took `milliseconds`, for as long again, if the database was running other statements: lists and writes
 * need the processors that work in the background would take.
 */
export async function giveWay(milliseconds: number, others: number, signal: AbortSignal): Promise<void> {
  if (others === 0) return;
  // Rejects only if the signal aborts, which the caller checks.
  await pause(Math.min(LONGEST_MS, milliseconds), undefined, { signal }).catch(() => {});
}
