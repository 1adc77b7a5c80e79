import type { RawRow } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import type { SourceFile } from './file-folder.ts';
import { rowsOf } from './file-rows.ts';
import type { FileSource } from './options.ts';

/** A place in the rows of a stream, which keeps its file open between pages. */
export class RowCursor {
  /** The version of the files when it was opened. */
  readonly version: string;
  readonly #lists: AsyncGenerator<RawRow[], void, void>;
  /** Rows that were read, and the position of the next one in them. */
  #read: readonly RawRow[] = [];
  #next = 0;
  #at = 0;

  constructor(files: readonly SourceFile[], source: FileSource, version: string) {
    this.version = version;
    this.#lists = rowsOf(files, source);
  }

  /** Number of rows before it. */
  get at(): number {
    return this.#at;
  }

  /** Moves forward to the row with this number, counted from 0. */
  async moveTo(at: number, signal: AbortSignal | undefined): Promise<void> {
    while (this.#at < at && (await this.#hasNext())) {
      this.#take(at - this.#at);
      if (signal?.aborted) throw new SystemError('unavailable', 'The pass was stopped');
    }
  }

  /** Up to `limit` rows, and whether there are more. */
  async page(limit: number): Promise<{ readonly rows: RawRow[]; readonly hasMore: boolean }> {
    const rows: RawRow[] = [];
    while (await this.#hasNext()) {
      if (rows.length >= limit) return { rows, hasMore: true };
      rows.push(...this.#take(limit - rows.length));
    }
    return { rows, hasMore: false };
  }

  /** Closes its file. */
  async close(): Promise<void> {
    await this.#lists.return();
  }

  /** At most `most` of the rows that were read. */
  #take(most: number): readonly RawRow[] {
    const rows = this.#read.slice(this.#next, this.#next + most);
    this.#next += rows.length;
    this.#at += rows.length;
    return rows;
  }

  async #hasNext(): Promise<boolean> {
    while (this.#next >= this.#read.length) {
      const { value } = await this.#lists.next();
      if (!value) return false;
      [this.#read, this.#next] = [value, 0];
    }
    return true;
  }
}
