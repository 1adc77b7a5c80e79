import { linesIn } from './count-lines.ts';
import { decodedText } from './decoded-text.ts';
import type { SourceFile } from './file-folder.ts';
import { LONGEST_RECORD } from './file-record.ts';
import type { FileSource } from './options.ts';

/** The text of a file from its header row on. */
export async function* textFrom(
  file: SourceFile,
  { encoding, header }: FileSource,
): AsyncGenerator<string, void, void> {
  const opened = await file.folder.open(file);
  try {
    yield* fromLine(decodedText(file.name, opened.bytes(), encoding), header);
  } finally {
    await opened.close();
  }
}

/** The text from a line on, without empty lines before it. The first piece contains the whole line, unless it is too long. */
async function* fromLine(pieces: AsyncIterable<string>, line: number): AsyncGenerator<string, void, void> {
  let isBegun = false;
  let [waiting, at] = ['', 1];
  for await (const piece of pieces) {
    if (isBegun) yield piece;
    else {
      waiting += piece;
      for (; at < line && waiting.includes('\n'); at += 1) waiting = waiting.slice(waiting.indexOf('\n') + 1);
      if (at < line) waiting = '';
      else isBegun = waiting.trimStart().includes('\n') || waiting.length > LONGEST_RECORD;
      if (isBegun) yield waiting;
    }
  }
  if (!isBegun && waiting.trim() !== '') yield waiting;
}

/** How much of a file its first lines are looked for in, in characters. */
const BEGINNING = 64 * 1024;

/** The first lines of a file, as many of them as its beginning contains. A server may send it in small pieces. */
export async function openedText(file: SourceFile, source: FileSource, most: number): Promise<string[]> {
  let [beginning, lines] = ['', 0];
  for await (const piece of textFrom(file, source)) {
    beginning += piece;
    lines += linesIn(piece);
    if (lines > most || beginning.length >= BEGINNING) break;
  }
  return beginning.split(/\r\n|\n|\r/).slice(0, most);
}

/** The delimiter that occurs most often in most lines, outside of quotes; a comma if there is none. */
export function delimiterIn(lines: readonly string[]): string {
  const bare = lines.filter((line) => line.trim() !== '').map((line) => line.replaceAll(/"[^"]*"/g, ''));
  const counts = [',', ';', '\t', '|'].map(
    (sign) => [sign, median(bare.map((line) => line.split(sign).length))] as const,
  );
  return counts.reduce((most, each) => (each[1] > most[1] ? each : most))[0];
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
