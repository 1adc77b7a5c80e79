import { useSyncExternalStore } from 'react';

const EVERY_MS = 15_000;
let now = Date.now();

function subscribe(onChange: () => void): () => void {
  const timer = setInterval(() => {
    now = Date.now();
    onChange();
  }, EVERY_MS);
  return () => clearInterval(timer);
}

/** The current time in milliseconds, which advances while a page is open. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
