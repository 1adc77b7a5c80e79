import type { ServerResponse } from 'node:http';
import type { Share } from './response-memory.ts';

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
