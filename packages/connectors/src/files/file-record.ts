/** A value in a file: text in CSV; in XLSX a text, number or boolean, or the text of a date; null if there is none. */
export type Cell = string | number | boolean | null;

/** A record of a CSV file, or a row of a sheet. */
export interface FileRecord {
  readonly cells: readonly Cell[];
  /** The line that it ends in, or the number of the row, counted from 1. */
  readonly line: number;
  /** Whether values at its end can be left out. */
  readonly isSparse?: true;
}

/** Maximum number of columns of a file. */
export const MOST_COLUMNS = 1_000;

/** Maximum length of a record. */
export const LONGEST_RECORD = 1_048_576;

/** Whether a record has no value. Exports end with such lines. */
export function isBlankRecord({ cells }: FileRecord): boolean {
  return cells.every((cell) => cell === null || cell === '');
}
