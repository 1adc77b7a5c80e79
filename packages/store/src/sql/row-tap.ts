import { EventEmitter } from 'node:events';
import { Socket } from 'node:net';
import type { Duplex, Readable } from 'node:stream';
import pg from 'pg';
import { ReusedMemory } from './joined-documents.ts';

/** Receives rows as the bytes that PostgreSQL sent. */
export interface RowSink {
  /**
   * A row: the number of its columns (16 bits), then for each column its length (32 bits, -1 for null) and its bytes. The
   * bytes are only valid during the call.
   */
  addRow(bytes: Buffer, start: number, end: number): void;
}

/** First byte of a message with a row. */
const DATA_ROW = 'D'.charCodeAt(0);
/** The kind of a message, one byte, and its length without that byte. */
const HEADER_BYTES = 5;
const NONE = Buffer.alloc(0);

/**
 * Splits what PostgreSQL sends: rows go to the sink, if there is one; everything else is emitted as `data` for the parser of
 * pg. The parser creates a string for every value, which for a page of documents costs more than reading them from the socket.
 */
export class RowTap extends EventEmitter {
  sink: RowSink | undefined;
  /** Memory for what sinks make of their rows. */
  readonly memory = new ReusedMemory();
  /** Number of bytes still to come of a message whose beginning was emitted. */
  #emitting = 0;
  /** Memory for a message of which only a part has arrived: for its header, then for all of it. */
  #partial = NONE;
  #arrived = 0;

  /** Splits a part of the stream of messages. Its memory may be used again afterwards. */
  push(chunk: Buffer): void {
    const at = this.#arrived > 0 ? this.#completePartial(chunk) : 0;
    if (at < chunk.length) this.#split(chunk, at);
  }

  /** Adds the beginning of a chunk to the partial message. Returns how many bytes of the chunk belong to it. */
  #completePartial(chunk: Buffer): number {
    let at = this.#addToPartial(chunk, 0);
    if (this.#isPartial) return at;
    const end = endOf(this.#partial, 0);
    if (this.#sinkOf(this.#partial, 0) && end > this.#arrived) {
      this.#enlargePartial(end);
      at = this.#addToPartial(chunk, at);
      if (this.#isPartial) return at;
    }
    const message = this.#partial;
    this.#partial = NONE;
    this.#arrived = 0;
    const sink = this.#sinkOf(message, 0);
    if (sink) sink.addRow(message, HEADER_BYTES, end);
    else this.emit('data', message);
    this.#emitting = end - message.length;
    return at;
  }

  get #isPartial(): boolean {
    return this.#arrived < this.#partial.length;
  }

  #addToPartial(chunk: Buffer, at: number): number {
    const count = chunk.copy(this.#partial, this.#arrived, at);
    this.#arrived += count;
    return at + count;
  }

  #enlargePartial(length: number): void {
    const header = this.#partial;
    this.#partial = Buffer.allocUnsafe(length);
    header.copy(this.#partial);
  }

  /** The receiver of the message at a position, if it is a row. */
  #sinkOf(bytes: Buffer, at: number): RowSink | undefined {
    return bytes[at] === DATA_ROW ? this.sink : undefined;
  }

  #split(bytes: Buffer, start: number): void {
    let emitted = start;
    let at = start + this.#emitting;
    while (at + HEADER_BYTES <= bytes.length) {
      const end = endOf(bytes, at);
      const sink = this.#sinkOf(bytes, at);
      if (sink) {
        this.#emit(bytes, emitted, at);
        emitted = at;
        if (end > bytes.length) break;
        sink.addRow(bytes, at + HEADER_BYTES, end);
        emitted = end;
      }
      at = end;
    }
    const isCut = at < bytes.length;
    this.#emit(bytes, emitted, Math.min(at, bytes.length));
    this.#emitting = Math.max(0, at - bytes.length);
    if (isCut) this.#begin(bytes, at);
  }

  /** Keeps the beginning of a message: of a row, or of the header of any message. */
  #begin(bytes: Buffer, at: number): void {
    const isHeaderComplete = at + HEADER_BYTES <= bytes.length;
    this.#partial = Buffer.allocUnsafe(isHeaderComplete ? endOf(bytes, at) - at : HEADER_BYTES);
    this.#arrived = bytes.copy(this.#partial, 0, at);
  }

  /** Emits a copy, because the parser keeps the beginning of a message until its end arrives. */
  #emit(bytes: Buffer, from: number, to: number): void {
    if (to > from) this.emit('data', Buffer.from(bytes.subarray(from, to)));
  }
}

/** End of the message at a position. */
function endOf(bytes: Buffer, at: number): number {
  return at + 1 + bytes.readUInt32BE(at + 1);
}

/** What pg's types omit: the connection of a client, and how it begins to read from its stream. */
interface Tappable {
  readonly connection: {
    readonly ssl: unknown;
    stream: Duplex;
    rows?: RowTap;
    attachListeners(stream: NodeJS.EventEmitter): void;
  };
}

/** A client whose statements can take their rows from `connection.rows`. */
export class TappedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as Tappable;
    const tap = new RowTap();
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      connection.rows = tap;
      (stream as Readable).on('data', (chunk: Buffer) => tap.push(chunk)).on('end', () => tap.emit('end'));
      attach(tap);
    };
    // With TLS, the socket receives encrypted bytes.
    if (!connection.ssl) connection.stream = socketReadBy(tap);
  }
}

/** Number of bytes that one read of a socket can return. */
const READ_BYTES = 64 * 1024;

/**
 * A socket that reads into the same memory each time, so it emits no `data`. By default, every read allocates memory, which the
 * garbage collector frees late: a page of documents hardly creates objects, by which it measures when to run.
 */
function socketReadBy(tap: RowTap): Socket {
  const callback = (count: number, bytes: Uint8Array) => {
    tap.push((bytes as Buffer).subarray(0, count));
    return true;
  };
  return new Socket({ onread: { buffer: Buffer.allocUnsafeSlow(READ_BYTES), callback } });
}
