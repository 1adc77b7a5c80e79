import { promisify } from 'node:util';
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib';
import type { Coding } from './accept-encoding.ts';

/**
 * Number of responses that are compressed at the same time. The other half of Node's thread pool is left for files and hashes.
 */
const MOST_AT_ONCE = 2;
/** Most compressed pages fit into one chunk. Each additional chunk takes another round trip to the thread pool. */
const chunkSize = 64 * 1024;

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT, ZSTD_c_compressionLevel } = constants;

const [zstd, br, gz] = [promisify(zstdCompress), promisify(brotliCompress), promisify(gzip)];

/** The levels that produce the most pages per second while reducing a list to at most a tenth of its bytes. */
const compressed: { readonly [Each in Coding]: (bytes: Uint8Array) => Promise<Uint8Array> } = {
  zstd: (bytes) => zstd(bytes, { chunkSize, params: { [ZSTD_c_compressionLevel]: 1 } }),
  br: (bytes) => {
    const params = { [BROTLI_PARAM_QUALITY]: 1, [BROTLI_PARAM_SIZE_HINT]: bytes.length };
    return br(bytes, { chunkSize, params });
  },
  gzip: (bytes) => gz(bytes, { chunkSize, level: 6 }),
};

/** Compresses responses in the thread pool of Node: a limited number at a time, in the order in which they were rendered. */
export class Compressor {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** Compresses a response. Returns undefined if `isWanted` returns false when it is this response's turn. */
  async compress(bytes: Uint8Array, coding: Coding, isWanted: () => boolean): Promise<Uint8Array | undefined> {
    if (this.#running < MOST_AT_ONCE) this.#running += 1;
    else await new Promise<void>((go) => this.#waiting.push(go));
    try {
      return isWanted() ? await compressed[coding](bytes) : undefined;
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
