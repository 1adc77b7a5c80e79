/** Memory that the statements of one database connection use one after another. */
export class ReusedMemory {
  #bytes = Buffer.allocUnsafeSlow(USUAL);

  /** The memory, with room for `more` bytes after the `used` ones. */
  reserve(used: number, more: number): Buffer {
    if (used + more > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#bytes.length, used + more));
      this.#bytes.copy(larger, 0, 0, used);
      this.#bytes = larger;
    }
    return this.#bytes;
  }

  /** Gives the memory away: the next statement gets other memory, of the usual size. */
  take(): Buffer {
    const bytes = this.#bytes;
    this.#bytes = Buffer.allocUnsafeSlow(USUAL);
    return bytes;
  }

  /** Frees what a large page has needed. */
  shrink(): void {
    if (this.#bytes.length > LARGEST_TEXT) this.take();
  }
}

/** Bytes of most pages. */
const USUAL = 64 * 1024;
/**
 * Bytes above which documents stay bytes. A smaller text is sent faster; a larger one would be copied with two bytes for each
 * character as soon as one of them is not Latin-1, into a heap that such texts make grow.
 */
const LARGEST_TEXT = 256 * 1024;
/** A row begins with the number of its columns (16 bits) and the length of the first one (32 bits). */
const LENGTH_AT = 2;
const DOCUMENT_AT = 6;
const COMMA = ','.charCodeAt(0);

/**
 * The JSON documents in the first column of rows, joined by commas as they arrive. A text per document, as pg makes it, would
 * be copied four times until it is sent.
 */
export class JoinedDocuments {
  /** Number of documents that are kept. */
  readonly most: number;
  /** The documents: a text, or UTF-8 if they are large. Empty until all rows have arrived. */
  json: string | Uint8Array = '';
  count = 0;
  /** Whether a row follows the last document. */
  hasMore = false;
  #length = 0;
  /** The other columns of the last document, as PostgreSQL sent them. */
  #keys: Buffer = Buffer.alloc(0);

  constructor(most: number) {
    this.most = most;
  }

  /** Adds the row between two positions, or notes that there are more. */
  addRow(memory: ReusedMemory, bytes: Buffer, start: number, end: number): void {
    if (this.count === this.most) {
      this.hasMore = true;
      return;
    }
    const from = start + DOCUMENT_AT;
    const to = from + Math.max(0, bytes.readInt32BE(start + LENGTH_AT));
    const joined = memory.reserve(this.#length, to - from + 1);
    if (this.count > 0) joined[this.#length++] = COMMA;
    this.#length += bytes.copy(joined, this.#length, from, to);
    this.count += 1;
    this.#keepKeys(bytes, to, end);
  }

  #keepKeys(bytes: Buffer, start: number, end: number): void {
    if (this.#keys.length !== end - start) this.#keys = Buffer.allocUnsafe(end - start);
    bytes.copy(this.#keys, 0, start, end);
  }

  /** Called once, when all rows have arrived. */
  end(memory: ReusedMemory): void {
    const length = this.#length;
    if (length > LARGEST_TEXT) this.json = memory.take().subarray(0, length);
    else this.json = memory.reserve(length, 0).toString('utf8', 0, length);
  }

  /** The columns that follow the last document, as PostgreSQL writes them. */
  get lastKeys(): (string | null)[] {
    const values: (string | null)[] = [];
    for (let at = 0; at < this.#keys.length; ) {
      const length = this.#keys.readInt32BE(at);
      at += 4;
      values.push(length < 0 ? null : this.#keys.toString('utf8', at, at + length));
      at += Math.max(0, length);
    }
    return values;
  }
}
