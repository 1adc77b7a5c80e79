import type { Word } from '../word.ts';

/** `now`: the time of a write, as a timestamp in UTC or its day; only for `onCreate`, `onWrite` and values of actions. */
export function now(unit: 'datetime' | 'date'): Word {
  return {
    yields: unit,
    read: null,
    write: null,
    send: () => {
      const at = new Date().toISOString();
      return unit === 'date' ? at.slice(0, 10) : at;
    },
    paths: [],
    written: [],
  };
}
