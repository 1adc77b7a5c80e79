import type { RawRow } from '../driver.ts';
import type { Stream } from '../platform.ts';
import { SystemError } from '../system-error.ts';
import { createdOf } from './change-row.ts';

/** The order of the rows of a list, as far as they were read from its beginning. */
export class ListOrder {
  readonly #stream: Stream;
  /** Keys of the rows so far: a page can contain rows of the page before, or be read again. */
  readonly #keys = new Set<string>();
  #last: RawRow | undefined;
  #descends = false;
  #ascends = false;

  constructor(stream: Stream) {
    this.#stream = stream;
  }

  /** Continues with the rows of a page. @throws {SystemError} `invalid` if they cannot be compared */
  add(rows: readonly RawRow[]): this {
    for (const row of rows.filter(({ key }) => !this.#keys.has(key))) {
      this.#keys.add(row.key);
      const last = this.#last && rankOf(this.#stream, this.#last);
      const rank = rankOf(this.#stream, row);
      this.#descends ||= last !== undefined && rank < last;
      this.#ascends ||= last !== undefined && rank > last;
      this.#last = row;
    }
    return this;
  }

  /**
   * Whether the newest rows come first. Rows with the same value, such as those of an import, do not show it. It is assumed if the
   * system recognizes a create that is sent again, because the row of such a create may be missed.
   */
  get isNewestFirst(): boolean {
    return createdOf(this.#stream).request !== undefined || (this.#descends && !this.#ascends);
  }

  /** Number of different rows so far. */
  get size(): number {
    return this.#keys.size;
  }

  /** Whether the newest rows do not come first. */
  get isOther(): boolean {
    return this.#ascends;
  }
}

/**
 * What increases with every new row: its key, or the value of `by`.
 *
 * @throws {SystemError} `invalid` if the row has no such number or text
 */
export function rankOf(stream: Stream, { key, row }: RawRow): number | string {
  const { by } = createdOf(stream);
  if (by === undefined) return numberOf(stream, key);
  const value = row[by];
  if (typeof value === 'string' && value !== '') return value;
  throw new SystemError('invalid', `The row ${key} has no "${by}", by which new rows are found`);
}

/** The highest rank of rows; without rows, one below that of every row. */
export function highestRank(stream: Stream, rows: readonly RawRow[]): number | string {
  let highest: number | string = createdOf(stream).by === undefined ? 0 : '';
  for (const row of rows) {
    const rank = rankOf(stream, row);
    if (rank > highest) highest = rank;
  }
  return highest;
}

/** The last part of a key. @throws {SystemError} `invalid` if it is not a number */
export function numberOf(stream: Stream, key: string): number {
  const number = Number(key.split('/').at(-1));
  if (Number.isSafeInteger(number)) return number;
  const words = `The key ${key} of ${stream.name} is not a number, so new rows cannot be found by it`;
  throw new SystemError(
    'invalid',
    `${words}. Name a "marker", or in "by" a property that increases with every new row`,
  );
}
