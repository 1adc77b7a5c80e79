import { EventEmitter } from 'node:events';
import type { Readable } from 'node:stream';
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
  /** The beginning of a message that is not complete. */
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Number of bytes at which `#held` is examined again. */
  #wantedBytes = 0;

  /** Splits a part of the stream of messages. */
  push(chunk: Buffer): void {
    const bytes = this.#withHeld(chunk);
    if (bytes) this.#split(bytes);
  }

  /** The held bytes and the next ones; undefined if these are still too few. */
  #withHeld(chunk: Buffer): Buffer | undefined {
    if (this.#heldBytes === 0) return chunk;
    this.#held.push(chunk);
    this.#heldBytes += chunk.length;
    if (this.#heldBytes < this.#wantedBytes) return undefined;
    const bytes = Buffer.concat(this.#held);
    this.#held = [];
    this.#heldBytes = 0;
    return bytes;
  }

  #split(bytes: Buffer): void {
    let emitted = 0;
    let at = this.#emitting;
    const emitUpTo = (end: number) => {
      if (end > emitted)
        this.emit('data', emitted === 0 && end === bytes.length ? bytes : bytes.subarray(emitted, end));
      emitted = end;
    };
    while (at + HEADER_BYTES <= bytes.length) {
      const end = at + 1 + bytes.readUInt32BE(at + 1);
      if (bytes[at] === DATA_ROW && this.sink) {
        emitUpTo(at);
        if (end > bytes.length) {
          this.#hold(bytes.subarray(at), end - at);
          return;
        }
        this.sink.addRow(bytes, at + HEADER_BYTES, end);
        emitted = end;
      }
      at = end;
    }
    emitUpTo(Math.min(at, bytes.length));
    this.#emitting = Math.max(0, at - bytes.length);
    if (at < bytes.length) this.#hold(bytes.subarray(at), HEADER_BYTES);
  }

  #hold(bytes: Buffer, wanted: number): void {
    this.#emitting = 0;
    this.#held = [bytes];
    this.#heldBytes = bytes.length;
    this.#wantedBytes = wanted;
  }
}

/** What pg's types omit: the connection of a client, and how it begins to read from its stream. */
interface Tappable {
  readonly connection: { rows?: RowTap; attachListeners(stream: NodeJS.EventEmitter): void };
}

/** A client whose statements can take their rows from `connection.rows`. */
export class TappedClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as Tappable;
    const attach = connection.attachListeners.bind(connection);
    connection.attachListeners = (stream) => {
      const tap = new RowTap();
      connection.rows = tap;
      (stream as Readable).on('data', (chunk: Buffer) => tap.push(chunk)).on('end', () => tap.emit('end'));
      attach(tap);
    };
  }
}
