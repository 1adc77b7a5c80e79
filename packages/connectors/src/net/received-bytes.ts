import type { Readable } from 'node:stream';
import { SystemError } from '../system-error.ts';

/** Counts the bytes that a database sends on all its connections, and ends a connection once they exceed a limit. */
export class ReceivedBytes {
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts what arrives on a stream: a socket or, with encryption, the decrypted data. */
  watch(stream: Readable): void {
    stream.on('data', (bytes: Buffer) => {
      this.#count += bytes.length;
      if (this.#count > this.#most)
        stream.destroy(new SystemError('invalid', `The database sends more than ${this.#most} bytes`));
    });
  }
}
