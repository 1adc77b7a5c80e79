import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { unusableFile } from '../file-failure.ts';

/** What is called while a part is read. Names are without their prefixes. */
export interface XmlEvents {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
}

/** Maximum length of a tag or text. */
const LONGEST_PIECE = 4 * 1024 ** 2;
/** The parser keeps every open tag; parts of workbooks have fewer than 20. */
const DEEPEST = 100;

/**
 * Parses a part of a workbook. Yields after every piece of it, so that the caller can consume what the events have collected.
 *
 * @throws SystemError `rejected` for text that is not well-formed XML in utf-8
 */
export async function* xmlEvents(
  file: string,
  bytes: AsyncIterable<Buffer>,
  events: XmlEvents,
): AsyncGenerator<void, void, void> {
  const parser = new SaxesParser({ xmlns: false });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // Without an event, the parser keeps the text that it was given.
  let length = 0;
  let depth = 0;
  parser.on('opentag', ({ name, attributes }) => {
    length = 0;
    depth += 1;
    if (depth > DEEPEST) throw unusableFile(file, 'is damaged: its XML is nested too deeply');
    events.open(localName(name), attributes);
  });
  parser.on('closetag', ({ name }) => {
    length = 0;
    depth -= 1;
    events.close?.(localName(name));
  });
  parser.on('text', (text) => events.text?.(text));
  parser.on('cdata', (text) => events.text?.(text));
  parser.on('error', () => {
    throw unusableFile(file, 'is damaged: it contains XML that is not well-formed');
  });
  for await (const chunk of bytes) {
    length += chunk.length;
    parser.write(textOf(file, decoder, chunk));
    if (length > LONGEST_PIECE) throw unusableFile(file, 'contains a value that is longer than 4 MiB');
    yield;
  }
  parser.close();
  yield;
}

function textOf(file: string, decoder: TextDecoder, chunk: Buffer): string {
  try {
    return decoder.decode(chunk, { stream: true });
  } catch {
    throw unusableFile(file, 'is damaged: its XML is not encoded in utf-8');
  }
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
