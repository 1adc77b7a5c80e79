/** The same bytes in pieces of `size`, the last one shorter; holds one piece at a time. */
export async function* inPieces(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; ) {
      const part = chunk.subarray(at, at + size - length);
      held.push(part);
      length += part.length;
      at += part.length;
      if (length < size) continue;
      yield Buffer.concat(held, length);
      held = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(held, length);
}
