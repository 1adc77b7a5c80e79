import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { type MemoryLimits, ResponseMemory, type Share } from './response-memory.ts';

export interface ResponseLimits extends MemoryLimits {
  /** Bytes per second that a reader has to take. */
  readonly slowest: number;
  /** Milliseconds that a reader may be behind one that takes `slowest`. */
  readonly patienceMs: number;
}

/** 64 kB/s is a quarter of what an upload needs to arrive in time. */
const RESPONSE_LIMITS: ResponseLimits = {
  totalBytes: 32_000_000,
  renderingBytes: 16_000_000,
  waitMs: 5_000,
  slowest: 64_000,
  patienceMs: 30_000,
  patienceUnderPressureMs: 1_000,
};

/** What is written at once. The kernel takes so much of a reader that keeps up, and a slow one is seen to take it. */
const PIECE = 128 * 1024;
/** Bytes of a file that are in memory while it is sent: what its storage reads at once. */
const PIECE_OF_FILE = 128 * 1024;

/**
 * Sends responses, bounds the memory of those that are not read and breaks off readers that do not keep up. A response
 * that the kernel takes at once, as it does of nearly all, costs nothing here.
 */
export class Outbox {
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

  /** Reserves memory for a response that is to be rendered; see `ResponseMemory.reserve`. */
  reserve(share: Share, bytes: number): Promise<void> | undefined {
    const waiting = this.#memory.reserve(share, bytes);
    if (waiting) this.#sweepSoon();
    return waiting;
  }

  /** Gives back what was reserved for a response that is not sent. */
  release(share: Share): void {
    this.#memory.resize(share, 0);
  }

  /** Sends the whole body of a response whose head is written. */
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

  /** Sends a body that is read as it is sent. Rejects when it cannot be read or the connection is closed before its end. */
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

  /** Text is encoded piece by piece, so that there is no second copy of a large one. */
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
    this.#unsent.add(sending);
    response.once('close', () => this.#forget(sending));
    this.#memory.resize(share, bytes);
    this.#memory.relieve();
    this.#sweepSoon();
    return sending;
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

  /** The timer runs only while there is something to look at. */
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

/** A character of two code units stays in one piece: encoded apart, its halves would be replaced. */
function endOfPiece(body: string | Uint8Array, at: number): number {
  const end = at + PIECE;
  const isSplit = typeof body === 'string' && /[\uD800-\uDBFF]/.test(body.charAt(end - 1));
  return isSplit ? end + 1 : end;
}

/** A response that its reader has not taken completely, and how far behind the reader is. */
export class Sending {
  readonly share: Share;
  readonly #response: ServerResponse;
  readonly #bytesPerMs: number;
  /** Milliseconds, as of the last piece that was taken. */
  #behind = 0;
  /** When the present piece was written; undefined while there is none. */
  #since: number | undefined;
  #wake: () => void = () => {};

  /** `slowest`: bytes per second that a reader has to take to stay as close as it is. */
  constructor(response: ServerResponse, share: Share, slowest: number) {
    this.#response = response;
    this.share = share;
    this.#bytesPerMs = slowest / 1000;
    response.once('close', () => this.#wake());
  }

  /** Milliseconds by which the reader is behind one that takes `slowest` bytes per second. */
  behindMs(now: number): number {
    return this.#since === undefined ? this.#behind : this.#behind + now - this.#since;
  }

  /** From now on the reader is waited for. */
  begin(): void {
    this.#since = performance.now();
  }

  /** Writes a piece and waits until the kernel has it. Gives false once the connection is closed. */
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

  /** Closes the connection and has the kernel drop what it still holds. */
  breakOff(): void {
    const { socket } = this.#response;
    if (socket) socket.resetAndDestroy();
    else this.#response.destroy();
  }
}
