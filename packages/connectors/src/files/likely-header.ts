import { delimiterIn, openedText } from './csv-text.ts';
import type { SourceFile } from './file-folder.ts';
import { formatOf } from './file-format.ts';
import { recordsOf } from './file-rows.ts';
import type { FileSource } from './options.ts';

/** Number of lines among which the header is. */
const MOST_LINES = 50;

/** A header has at least this share of the values of the longest line: columns need not have a name. */
const FEWEST_NAMES = 0.6;

/** A number or date, such as the day of an export in a title. Names of columns are rarely numbers. */
const NO_NAME = /^[\d.,:/ +-]*\d[\d.,:/ +-]*$/;

/**
 * The line or row that likely contains the names of the columns: the first one that is about as long as the longest line, and has
 * no number or date if there is such a line. Lines before it are titles. 1 if there is none. Reads only the beginning of the file.
 */
export async function likelyHeader(file: SourceFile, source: FileSource): Promise<number> {
  const lines = await firstLines(file, { ...source, header: 1 });
  const longest = Math.max(0, ...lines.map(({ filled }) => filled));
  const long = lines.filter(({ filled }) => filled >= Math.max(2, longest * FEWEST_NAMES));
  return (long.find(({ hasNumber }) => !hasNumber) ?? long[0])?.line ?? 1;
}

/** A line, and how many of its values are not blank. */
interface FilledLine {
  readonly line: number;
  readonly filled: number;
  readonly hasNumber: boolean;
}

function filledLine(line: number, values: readonly unknown[]): FilledLine {
  const texts = values.map((value) => String(value ?? '').trim()).filter((text) => text !== '');
  return { line, filled: texts.length, hasNumber: texts.some((text) => NO_NAME.test(text)) };
}

async function firstLines(file: SourceFile, source: FileSource): Promise<FilledLine[]> {
  if (formatOf(file, source) === 'xlsx') return firstRows(file, source);
  const texts = await openedText(file, source, MOST_LINES);
  const delimiter = source.delimiter ?? delimiterIn(texts);
  return texts.map((text, index) => filledLine(index + 1, text.split(delimiter)));
}

async function firstRows(file: SourceFile, source: FileSource): Promise<FilledLine[]> {
  const rows: FilledLine[] = [];
  for await (const records of recordsOf(file, source)) {
    for (const { cells, line } of records) rows.push(filledLine(line, cells));
    if (rows.length >= MOST_LINES) break;
  }
  return rows.filter(({ line }) => line <= MOST_LINES);
}
