import type { RawRow } from '../driver.ts';
import { SystemError } from '../system-error.ts';
import { rowsOf } from './file-rows.ts';
import type { FileSource } from './options.ts';
import type { SourceFile } from './source-files.ts';

/** A place in the rows of a stream, which keeps its file open between pages. */
export class RowCursor {
  /** The version of the files when it was opened. */
  readonly version: string;
  readonly #rows: AsyncGenerator<RawRow, void, void>;
  #next: Promise<IteratorResult<RawRow, void>> | undefined;
  #at = 0;

  constructor(files: readonly SourceFile[], source: FileSource, version: string) {
    this.version = version;
    this.#rows = rowsOf(files, source);
  }

  /** Number of rows before it. */
  get at(): number {
    return this.#at;
  }

  /** Moves forward to the row with this number, counted from 0. */
  async moveTo(at: number, signal: AbortSignal | undefined): Promise<void> {
    while (this.#at < at && (await this.#take())) {
      if (signal?.aborted) throw new SystemError('unavailable', 'The pass was stopped');
    }
  }

  /** Up to `limit` rows, and whether there are more. */
  async page(limit: number): Promise<{ readonly rows: RawRow[]; readonly hasMore: boolean }> {
    const rows: RawRow[] = [];
    while (rows.length < limit) {
      const row = await this.#take();
      if (!row) return { rows, hasMore: false };
      rows.push(row);
    }
    return { rows, hasMore: !(await this.#peek()).done };
  }

  /** Closes its file. */
  async close(): Promise<void> {
    await this.#rows.return();
  }

  async #take(): Promise<RawRow | undefined> {
    const { value } = await this.#peek();
    this.#next = undefined;
    if (value) this.#at += 1;
    return value ?? undefined;
  }

  #peek(): Promise<IteratorResult<RawRow, void>> {
    this.#next ??= this.#rows.next();
    return this.#next;
  }
}
