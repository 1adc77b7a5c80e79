import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * A stream that relays a socket. TLS takes over the handle of a socket that it is given, so that listeners on the socket no
 * longer see the data. From any other stream, TLS reads what the stream emits.
 */
export class RelayedSocket extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on('data', (bytes: Buffer) => this.push(bytes) || socket.pause());
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(bytes, done);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
