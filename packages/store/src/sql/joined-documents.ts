/**
 * Memory that the statements of one database connection use one after another. When it grows, the previous memory is freed
 * immediately: left to the garbage collector, which hardly runs while bytes are copied, it would take several times the memory
 * of a page.
 */
export class ReusedMemory {
  /** Empty until it is used, since most clients of a worker never join documents. */
  #bytes = newMemory(0);

  /** The memory, with room for `more` bytes after the first `used` ones. */
  reserve(used: number, more: number): Buffer {
    if (used + more > this.#bytes.length) {
      this.#bytes = Buffer.from(this.#bytes.buffer.transfer(Math.max(USUAL, 2 * this.#bytes.length, used + more)));
    }
    return this.#bytes;
  }

  /** Hands over the memory: the next statement gets new memory. */
  take(): Buffer<ArrayBuffer> {
    const bytes = this.#bytes;
    this.#bytes = newMemory(0);
    return bytes;
  }

  /** Frees the memory that a large page needed. */
  shrink(): void {
    if (this.#bytes.length > LARGEST_TEXT) this.take().buffer.transfer(0);
  }
}

/** Memory that is not part of the pool that small buffers share, which must not be freed. */
function newMemory(length: number): Buffer<ArrayBuffer> {
  return Buffer.allocUnsafeSlow(length);
}

/** Number of bytes that is enough for most pages. */
const USUAL = 64 * 1024;
/**
 * Size in bytes above which documents remain bytes. A smaller text is sent faster. A larger one would be copied with two bytes
 * per character as soon as one character is not Latin-1, and such texts make the heap grow.
 */
const LARGEST_TEXT = 256 * 1024;
/** A row begins with the number of its columns (16 bits) and the length of the first one (32 bits). */
const LENGTH_AT = 2;
const DOCUMENT_AT = 6;
const COMMA = ','.charCodeAt(0);

/**
 * The JSON documents in the first column of rows, joined by commas as they arrive. A separate text per document, as pg creates
 * it, would be copied four times before it is sent.
 */
export class JoinedDocuments {
  /** Maximum number of documents to keep. */
  readonly most: number;
  /**
   * The documents: as text, or as UTF-8 bytes in memory of their own if they are large. Empty until all rows have arrived.
   */
  json: string | Uint8Array<ArrayBuffer> = '';
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

  /** Length of the documents in UTF-8. */
  get bytes(): number {
    return this.#length;
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
