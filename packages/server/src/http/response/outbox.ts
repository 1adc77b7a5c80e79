import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { Compressor } from './compressor.ts';
import { type MemoryLimits, ResponseMemory, type Share } from './response-memory.ts';

export interface ResponseLimits extends MemoryLimits {
  /** Bytes per second that a reader must be able to receive. */
  readonly slowest: number;
  /** Milliseconds that a reader may lag behind one that receives `slowest` bytes per second. */
  readonly patienceMs: number;
}

/** `slowest` is a quarter of the minimum rate for uploads. */
const RESPONSE_LIMITS: ResponseLimits = {
  totalBytes: 32_000_000,
  renderingBytes: 16_000_000,
  waitMs: 5_000,
  slowest: 64_000,
  patienceMs: 30_000,
  patienceUnderPressureMs: 1_000,
};

/**
 * Size of a write. The kernel buffers this much for a reader that keeps up, and it is small enough to measure the progress of a
 * slow reader.
 */
const PIECE = 128 * 1024;
/** Bytes of a file in memory while it is sent: the size of a read from its storage. */
const PIECE_OF_FILE = 128 * 1024;

/**
 * Sends responses, limits the memory of those that have not been read, and disconnects readers that do not keep up. Nearly all
 * responses are accepted by the kernel immediately, and cause no overhead.
 */
export class Outbox {
  readonly compressor = new Compressor();
  readonly #limits: ResponseLimits;
  readonly #memory: ResponseMemory;
  readonly #logger: Logger;
  readonly #unsent = new Set<Sending>();
  #sweeper: NodeJS.Timeout | undefined;

  constructor(logger: Logger, limits: Partial<ResponseLimits> = {}) {
    this.#logger = logger;
    this.#limits = { ...RESPONSE_LIMITS, ...limits };
    this.#memory = new ResponseMemory(this.#limits, (leastMs, owner) => this.#breakOff(leastMs, owner));
  }

  /** Memory that is reserved for responses that are being rendered, or used by responses that have not been received. */
  get heldBytes(): number {
    return this.#memory.heldBytes;
  }

  /** Reserves memory for a response that will be rendered; see `ResponseMemory.reserve`. */
  reserve(share: Share, bytes: number): Promise<void> | undefined {
    const waiting = this.#memory.reserve(share, bytes);
    if (waiting) this.#sweepSoon();
    return waiting;
  }

  /** Releases the memory that was reserved for a response that will not be sent. */
  release(share: Share): void {
    this.#memory.resize(share, 0);
  }

  /** Sends the whole body of a response whose head has been written. */
  send(response: ServerResponse, body: string | Uint8Array, encoding: 'latin1' | 'utf8', share: Share): void {
    if (response.destroyed) return void this.release(share);
    if (body.length > PIECE) {
      const sending = this.#watch(response, share, body.length);
      void this.#writePieces(sending, body, encoding).then(() => response.end());
      return;
    }
    response.end(body, encoding);
    if (response.socket?.writableLength) this.#watch(response, share, body.length).begin();
    else this.release(share);
  }

  /** Streams a body. Rejects when it cannot be read or the connection is closed before its end. */
  async stream(response: ServerResponse, body: AsyncIterable<Uint8Array>, share: Share): Promise<void> {
    const sending = this.#watch(response, share, PIECE_OF_FILE);
    try {
      for await (const bytes of body) {
        if (!(await this.#writePieces(sending, bytes))) throw new Error('The client closed the connection.');
      }
      response.end();
    } catch (error) {
      response.destroy();
      throw error;
    }
  }

  /**
   * Sends the texts of a stream that pauses in between. During a pause, it uses no memory, and its reader does not count as
   * lagging. Ends when the texts end or the client leaves. Rejects when the texts cannot be read.
   */
  async follow(response: ServerResponse, texts: AsyncIterable<string>, share: Share): Promise<void> {
    const sending = new Sending(response, share, this.#limits.slowest);
    response.once('close', () => this.#forget(sending));
    this.release(share);
    try {
      for await (const text of texts) {
        this.#track(sending, text.length);
        const isSent = await this.#writePieces(sending, text, 'utf8');
        this.#forget(sending);
        if (!isSent) return;
        sending.catchUp();
      }
      response.end();
    } catch (error) {
      response.destroy();
      throw error;
    }
  }

  /** Text is encoded in pieces, to avoid a second copy of a large one. */
  async #writePieces(sending: Sending, body: string | Uint8Array, encoding?: 'latin1' | 'utf8'): Promise<boolean> {
    for (let at = 0; at < body.length; ) {
      const end = endOfPiece(body, at);
      const piece = typeof body === 'string' ? body.slice(at, end) : body.subarray(at, end);
      if (!(await sending.write(piece, encoding))) return false;
      at = end;
    }
    return true;
  }

  #watch(response: ServerResponse, share: Share, bytes: number): Sending {
    const sending = new Sending(response, share, this.#limits.slowest);
    response.once('close', () => this.#forget(sending));
    this.#track(sending, bytes);
    return sending;
  }

  #track(sending: Sending, bytes: number): void {
    this.#unsent.add(sending);
    this.#memory.resize(sending.share, bytes);
    this.#memory.relieve();
    this.#sweepSoon();
  }

  #forget(sending: Sending): void {
    this.#unsent.delete(sending);
    this.#memory.resize(sending.share, 0);
  }

  #breakOff(leastMs: number, owner?: string): boolean {
    const now = performance.now();
    let furthest: Sending | undefined;
    for (const each of this.#unsent) {
      if ((owner !== undefined && each.share.owner !== owner) || each.behindMs(now) < leastMs) continue;
      if (!furthest || each.behindMs(now) > furthest.behindMs(now)) furthest = each;
    }
    if (!furthest) return false;
    this.#end(furthest, now);
    return true;
  }

  #end(sending: Sending, now: number): void {
    const { owner: application, bytes } = sending.share;
    const line = { application, bytes, behindMs: Math.round(sending.behindMs(now)) };
    this.#logger.warn(line, 'response was not read in time, connection closed');
    this.#forget(sending);
    sending.breakOff();
  }

  /** The timer runs only while there are unsent responses. */
  #sweepSoon(): void {
    this.#sweeper ??= setInterval(() => this.#sweep(), this.#limits.patienceUnderPressureMs / 4).unref();
  }

  #sweep(): void {
    const now = performance.now();
    for (const sending of this.#unsent) {
      if (sending.behindMs(now) > this.#limits.patienceMs) this.#end(sending, now);
    }
    if (this.#memory.hasWaiting) this.#memory.grant();
    if (this.#unsent.size > 0 || this.#memory.hasWaiting) return;
    clearInterval(this.#sweeper);
    this.#sweeper = undefined;
  }
}

/** Surrogate pairs are not split: encoded separately, both halves would be replaced. */
function endOfPiece(body: string | Uint8Array, at: number): number {
  const end = at + PIECE;
  const isSplit = typeof body === 'string' && /[\uD800-\uDBFF]/.test(body.charAt(end - 1));
  return isSplit ? end + 1 : end;
}

/** A response that its reader has not completely received, and the lag of the reader. */
export class Sending {
  readonly share: Share;
  readonly #response: ServerResponse;
  readonly #bytesPerMs: number;
  /** Lag in milliseconds when the last piece was accepted. */
  #behind = 0;
  /** When the current piece was written; undefined if there is none. */
  #since: number | undefined;
  #wake: () => void = () => {};

  /** `slowest` is the number of bytes per second that a reader must accept so that its lag does not increase. */
  constructor(response: ServerResponse, share: Share, slowest: number) {
    this.#response = response;
    this.share = share;
    this.#bytesPerMs = slowest / 1000;
    response.once('close', () => this.#wake());
  }

  /** Milliseconds that the reader lags behind one that accepts `slowest` bytes per second. */
  behindMs(now: number): number {
    return this.#since === undefined ? this.#behind : this.#behind + now - this.#since;
  }

  /** Resets the lag of a reader that has received everything. */
  catchUp(): void {
    this.#behind = 0;
  }

  /** Starts measuring the lag. */
  begin(): void {
    this.#since = performance.now();
  }

  /** Writes a piece and waits until the kernel has accepted it. Resolves to false if the connection is closed. */
  async write(piece: string | Uint8Array, encoding: 'latin1' | 'utf8' = 'utf8'): Promise<boolean> {
    if (this.#response.destroyed) return false;
    this.begin();
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    this.#response.write(piece, encoding, () => resolve());
    await promise;
    this.#behind = Math.max(0, this.behindMs(performance.now()) - piece.length / this.#bytesPerMs);
    this.#since = undefined;
    return !this.#response.destroyed;
  }

  /** Resets the connection, so that the kernel discards its buffer. */
  breakOff(): void {
    const { socket } = this.#response;
    if (socket) socket.resetAndDestroy();
    else this.#response.destroy();
  }
}
