import type { WireValues } from './values-encoder.ts';
import { isWireObject, type Wire, type WireObject } from './wire.ts';

/** Whether a record is the one that was created with these values; `record` has the fields of `values`, undecoded. */
export function isCreatedWith(record: WireObject, values: WireValues): boolean {
  return Object.entries(values).every(([name, sent]) =>
    Array.isArray(sent) ? createdCount(sent) === lengthOf(record[name]) : same(record[name] ?? null, sent),
  );
}

function lengthOf(list: Wire | undefined): number {
  return Array.isArray(list) ? list.length : 0;
}

/** How many records the steps of a list field result in. */
function createdCount(steps: readonly Wire[]): number {
  return steps.reduce<number>((sum, step) => sum + lengthOf(Array.isArray(step) ? step[1] : undefined), 0);
}

/** Tryton stores "1.10" as "1.1" and an empty text as null; databases without booleans store 0 and 1. */
function same(kept: Wire, sent: Wire): boolean {
  if (isWireObject(kept) && isWireObject(sent)) {
    if (sent.__class__ === 'Decimal') return Number(kept.decimal) === Number(sent.decimal);
    return Object.keys(sent).every((key) => same(kept[key] ?? null, sent[key] ?? null));
  }
  return plain(kept) === plain(sent);
}

function plain(value: Wire): Wire {
  if (typeof value === 'boolean') return Number(value);
  return value === '' ? null : value;
}
