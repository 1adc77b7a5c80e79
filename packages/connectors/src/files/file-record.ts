/** A value in a file; null if there is none. */
export type Cell = string | number | boolean | null;

/** A record of a CSV file. */
export interface FileRecord {
  readonly cells: readonly Cell[];
  /** The line that it ends in, counted from 1. */
  readonly line: number;
}

/** Maximum number of columns of a file. */
export const MOST_COLUMNS = 1_000;

/** Maximum length of a record. */
export const LONGEST_RECORD = 1_048_576;

/** Whether a record has no value. Exports end with such lines. */
export function isBlankRecord({ cells }: FileRecord): boolean {
  return cells.every((cell) => cell === null || cell === '');
}
