/** Number of characters of records above which a body is rendered as bytes, as documents are by `JoinedDocuments` of the store. */
const LARGE = 256 * 1024;

/**
 * The JSON of a list: as text, or as UTF-8 bytes if it is large. `records` contains the JSON texts of records, or all of them
 * joined by commas. Bytes must have memory of their own, from its first byte: it is freed.
 */
export function listBody(
  meta: unknown,
  records: readonly string[] | string | Uint8Array<ArrayBuffer>,
): string | Uint8Array {
  const head = `{"meta":${JSON.stringify(meta)},"data":[`;
  const tail = ']}';
  if (typeof records === 'string') return `${head}${records}${tail}`;
  if (records instanceof Uint8Array) return between(head, records, tail);
  let characters = 0;
  for (const record of records) characters += record.length;
  if (characters <= LARGE) return `${head}${records.join(',')}${tail}`;
  return bytesOf([head, ...records.flatMap((record, at) => (at === 0 ? [record] : [',', record])), tail]);
}

/**
 * Bytes between two ASCII texts. Their memory is freed immediately, since the garbage collector hardly runs while bytes are
 * copied, and the memory of many pages would add up.
 */
function between(head: string, bytes: Uint8Array<ArrayBuffer>, tail: string): Uint8Array {
  const { length } = bytes;
  const whole = Buffer.from(bytes.buffer.transfer(head.length + length + tail.length));
  whole.copyWithin(head.length, 0, length);
  whole.write(head, 0, 'latin1');
  whole.write(tail, head.length + length, 'latin1');
  return whole;
}

/** The texts joined as bytes, in separate memory that is returned to the system together with them. */
function bytesOf(texts: readonly string[]): Uint8Array {
  const lengths = texts.map((text) => Buffer.byteLength(text));
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0));
  let at = 0;
  for (const [index, text] of texts.entries()) {
    // Text with as many bytes as characters is ASCII, which is copied much faster as Latin-1.
    const length = lengths[index];
    at += bytes.write(text, at, length === text.length ? 'latin1' : 'utf8');
  }
  return bytes;
}
