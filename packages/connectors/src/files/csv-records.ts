import type { CsvError, Options, Parser } from 'csv-parse';
import { linesIn } from './count-lines.ts';
import { delimiterIn, textFrom } from './csv-text.ts';
import { fileFailure, incompleteFile, unusableFile } from './file-failure.ts';
import type { SourceFile } from './file-folder.ts';
import { type FileRecord, LONGEST_RECORD } from './file-record.ts';
import type { FileSource } from './options.ts';
import { refuseOtherContent } from './other-content.ts';

/**
 * The records of a CSV file from its header row on, a list for each piece of the file, read as they are consumed. Empty lines are
 * left out.
 *
 * @throws SystemError `rejected` for text that is not CSV, with its line; `unavailable` for a file without any
 */
export async function* csvRecords(file: SourceFile, source: FileSource): AsyncGenerator<FileRecord[], void, void> {
  const text = textFrom(file, source);
  try {
    const head = await text.next();
    if (head.done) throw incompleteFile(file.name, 'is empty. Its records stay as they are');
    refuseOtherContent(file.name, head.value);
    yield* parsed(file, source, head.value, text);
  } finally {
    await text.return();
  }
}

/** The records of a text, of which `head` is the first piece. */
async function* parsed(
  { name }: SourceFile,
  source: FileSource,
  head: string,
  rest: AsyncIterable<string>,
): AsyncGenerator<FileRecord[], void, void> {
  const { CsvError, parse } = await import('csv-parse');
  const parser = parse(optionsOf(source, head));
  // The error is thrown below.
  parser.on('error', () => {});
  const lineAt = lineCounter(source.header);
  const recordOf = ({ record, info }: CsvRecord) => ({ cells: record, line: lineAt(info.lines, record) });
  /** The line of the last character, and whether it ends there. */
  let [line, isEnded] = [source.header, false];
  try {
    // The parser does not count delimiters, so a record of delimiters alone would fill the memory.
    let unfinished = 0;
    for await (const piece of followed(head, rest)) {
      parser.write(piece);
      line += isEnded ? 1 : 0;
      isEnded = piece.endsWith('\n');
      line += linesIn(piece) - (isEnded ? 1 : 0);
      const records = readyRecords(parser).map(recordOf);
      if (parser.errored) throw parser.errored;
      unfinished = records.length > 0 || piece.trim() === '' ? 0 : unfinished + piece.length;
      if (unfinished > LONGEST_RECORD + piece.length) throw tooLong(name, line);
      yield records;
    }
    parser.end();
    const last: CsvRecord[] = [];
    for await (const record of parser) last.push(record);
    yield last.map(recordOf);
  } catch (error) {
    throw error instanceof CsvError ? unreadable(name, error, { line, lineAt }) : fileFailure(name, error);
  } finally {
    parser.destroy();
  }
}

/** The line of the file for a number of lines that the parser counted up to the end of a record. */
type LineCounter = (counted: number, record?: readonly string[]) => number;

/** The parser counts a line break of two characters within quotes twice. */
function lineCounter(header: number): LineCounter {
  let [last, doubled] = [0, 0];
  return (counted, record = []) => {
    if (counted > last + 1)
      for (const value of record) if (value.includes('\r\n')) doubled += value.split('\r\n').length - 1;
    last = counted;
    return counted + header - 1 - doubled;
  };
}

/** What the parser returns with the option `info`. */
interface CsvRecord {
  readonly record: string[];
  readonly info: { readonly lines: number };
}

/** The records of the text that was written; `write` splits it, because all records before it were taken. */
function readyRecords(parser: Parser): CsvRecord[] {
  const records: CsvRecord[] = [];
  for (let record = parser.read(); record !== null; record = parser.read()) records.push(record);
  return records;
}

function optionsOf({ delimiter, quote = '"', ...options }: FileSource, head: string): Options {
  const quoted = quote === '' ? { quote: null, escape: null } : { quote, escape: options.escape ?? quote };
  return {
    delimiter: delimiter ?? delimiterIn([firstLine(head)]),
    ...quoted,
    // In this order, and not by the first line: exports can have both.
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: LONGEST_RECORD,
    relax_column_count: true,
    skip_empty_lines: true,
    info: true,
  };
}

async function* followed(head: string, rest: AsyncIterable<string>): AsyncGenerator<string, void, void> {
  yield head;
  yield* rest;
}

function firstLine(text: string): string {
  return /[^\r\n]+/.exec(text)?.[0] ?? '';
}

function tooLong(name: string, line: number) {
  const words = `has a record that is longer than ${LONGEST_RECORD / 1024} KiB and reaches line ${line}, as if a quote were not closed`;
  const remedy = 'Correct the line where it begins, or set the option quote to the character that the export uses';
  return unusableFile(name, `${words}. ${remedy}`);
}

/** The messages of the parser contain values, so they are not shown. */
function unreadable(
  name: string,
  error: CsvError,
  { line, lineAt }: { readonly line: number; readonly lineAt: LineCounter },
) {
  switch (error.code as string) {
    case 'CSV_MAX_RECORD_SIZE':
      return tooLong(name, line);
    case 'CSV_QUOTE_NOT_CLOSED':
      return unusableFile(
        name,
        `ends within a quoted value (line ${line}). It is incomplete, or a quote is not closed`,
      );
    default:
      return unusableFile(
        name,
        `has a quote in an unexpected place (line ${lineAt(Number(error.lines))}). If the export does not quote values, set the option quote to an empty text`,
      );
  }
}
