import type { Json } from '../json.ts';
import { isObject } from '../mapping/path.ts';

/** Where a number cursor stood when a pass began. */
export interface NumberMark {
  /** Rows that the pass cannot have seen have at least this number; null: not known, the next pass reads all. */
  readonly from: string | null;
  /** The highest number that was visible. */
  readonly seen: string | null;
  /** Transactions that were open, and may still commit rows with lower numbers. */
  readonly open: readonly string[];
}

/** The instant of a mark. */
export function instantOf(since: Json): string | null {
  const at = isObject(since) ? since.at : since;
  return typeof at === 'string' ? at : null;
}

/** Marks of the number cursors of a stream, by list; '' is the row itself. */
export function numbersOf(since: Json): Readonly<Record<string, NumberMark>> {
  const numbers: unknown = isObject(since) ? since.numbers : undefined;
  return isObject(numbers) ? (numbers as Readonly<Record<string, NumberMark>>) : {};
}
