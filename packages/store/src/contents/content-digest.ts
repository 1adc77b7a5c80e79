import { createHash } from 'node:crypto';

/** Digest of bytes: their checksum (SHA-256, hexadecimal) and count. */
export interface ContentDigest {
  readonly sha256: string;
  readonly sizeBytes: number;
}

/** The digest of bytes that are not stored. */
export async function digestOf(bytes: AsyncIterable<Uint8Array>): Promise<ContentDigest> {
  const passing = digesting(bytes);
  for await (const _ of passing.bytes);
  return passing.result();
}

/** Passes bytes on while computing their digest; `result` is valid once all bytes have passed. */
export function digesting(bytes: AsyncIterable<Uint8Array>) {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  async function* passing() {
    for await (const chunk of bytes) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      yield chunk;
    }
  }
  return { bytes: passing(), result: (): ContentDigest => ({ sha256: hash.digest('hex'), sizeBytes }) };
}
