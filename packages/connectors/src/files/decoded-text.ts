import { TextDecoder } from 'node:util';
import { linesIn } from './count-lines.ts';
import { unusableFile } from './file-failure.ts';
import { refuseOtherContent } from './other-content.ts';

const MARKS: readonly (readonly [encoding: string, bytes: Buffer])[] = [
  ['utf-8', Buffer.from([0xef, 0xbb, 0xbf])],
  ['utf-16le', Buffer.from([0xff, 0xfe])],
  ['utf-16be', Buffer.from([0xfe, 0xff])],
];

/**
 * The text of a file, without its byte order mark. A byte order mark takes precedence over the declared encoding.
 *
 * @throws SystemError `rejected` for bytes that are not in this encoding, with their line
 */
export async function* decodedText(
  name: string,
  bytes: AsyncIterable<Buffer>,
  declared: string = 'utf-8',
): AsyncGenerator<string, void, void> {
  let decoder: TextDecoder | undefined;
  let lines = 1;
  for await (const chunk of bytes) {
    decoder ??= decoderFor(name, chunk, declared);
    const text = decoded(name, decoder, chunk, lines);
    lines += linesIn(text);
    if (text !== '') yield text;
  }
  if (decoder) decoded(name, decoder, null, lines);
}

function decoderFor(name: string, head: Buffer, declared: string): TextDecoder {
  // Files in binary formats begin with the same letters in every encoding of one byte.
  refuseOtherContent(name, head.toString('latin1', 0, 1000));
  const marked = MARKS.find(([, mark]) => head.subarray(0, mark.length).equals(mark))?.[0];
  const encoding = marked ?? (declared === 'utf-16' ? 'utf-16le' : declared);
  const isSingleByte = marked === undefined && !declared.startsWith('utf-');
  if (isSingleByte && head.some((byte) => byte >= 0x80) && isUtf8(head)) {
    throw unusableFile(name, `is encoded in utf-8, not in ${declared}: remove the option encoding`);
  }
  return new TextDecoder(encoding, { fatal: true });
}

/** The end of a chunk need not be the end of a character. */
function isUtf8(head: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The text of a chunk; `null` is the end of the file. */
function decoded(name: string, decoder: TextDecoder, chunk: Buffer | null, lines: number): string {
  let text: string;
  try {
    text = chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
  } catch {
    const line = lines + (chunk ? linesBeforeFault(chunk, decoder.encoding) : 0);
    const remedy = 'Set the option encoding, for example to windows-1252, or export it again';
    throw unusableFile(name, `is not encoded in ${decoder.encoding} (line ${line}). ${remedy}`);
  }
  if (!text.includes('\0')) return text;
  const line = lines + linesIn(text.slice(0, text.indexOf('\0')));
  throw unusableFile(
    name,
    `contains NUL characters (line ${line}). If it is encoded in utf-16, set the option encoding`,
  );
}

function linesBeforeFault(chunk: Buffer, encoding: string): number {
  const text = new TextDecoder(encoding).decode(chunk);
  // A character that begins in the chunk before is also replaced, so the first line may be that of the chunk.
  return linesIn(text.slice(0, Math.max(0, text.indexOf('\u{FFFD}', 1))));
}
