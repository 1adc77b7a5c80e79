import type { RawRow, Row } from '../driver.ts';
import { keyOf } from '../row-key.ts';
import { csvRecords } from './csv-records.ts';
import { incompleteFile, unusableFile } from './file-failure.ts';
import type { SourceFile } from './file-folder.ts';
import { formatOf } from './file-format.ts';
import { type FileRecord, isBlankRecord } from './file-record.ts';
import { type HeaderRow, headerRow, namesOfHeader, someNames } from './header-row.ts';
import type { FileSource } from './options.ts';
import { xlsxRecords } from './xlsx/xlsx-records.ts';

/** The records of a file, from its header row on. */
export function recordsOf(file: SourceFile, source: FileSource): AsyncGenerator<FileRecord[], void, void> {
  return formatOf(file, source) === 'xlsx' ? xlsxRecords(file, source) : csvRecords(file, source);
}

/** The columns of a file. @throws SystemError */
export async function columnsOf(file: SourceFile, source: FileSource): Promise<HeaderRow> {
  if (source.columns) return source.columns;
  for await (const [record] of recordsOf(file, source)) if (record) return headerRow(file.name, record);
  throw withoutHeader(file, source);
}

/**
 * The rows of the files of a stream, one file after the other, in lists, read as they are consumed.
 *
 * @throws SystemError `rejected` for a record that cannot be read, with its line; for a file without a column of the key; and for
 * a file whose columns are not those of the file before
 */
export async function* rowsOf(files: readonly SourceFile[], source: FileSource): AsyncGenerator<RawRow[], void, void> {
  let first: FileColumns | undefined;
  for (const file of files) {
    let header: HeaderRow | undefined = source.columns;
    if (header) refuseWithoutKey(file, header, source);
    for await (const records of recordsOf(file, source)) {
      const given = records.filter((record) => !isBlankRecord(record));
      const names = header ? undefined : given.shift();
      if (names) header = headerIn(file, names, source, first);
      const columns = header ?? [];
      yield given.map((record) => rowOf(file, columns, record, source));
    }
    if (!header) throw withoutHeader(file, source);
    first ??= { file, header };
  }
}

/** The columns in a header row, which must contain the key and be those of the first file. */
function headerIn(file: SourceFile, record: FileRecord, source: FileSource, first: FileColumns | undefined): HeaderRow {
  const header = headerRow(file.name, record);
  refuseWithoutKey(file, header, source);
  if (first) refuseOtherColumns(first, { file, header });
  return header;
}

function withoutHeader({ name }: SourceFile, { header }: FileSource) {
  return incompleteFile(name, `has no line ${header} with the names of its columns. Its records stay as they are`);
}

function refuseWithoutKey({ name }: SourceFile, header: HeaderRow, { key }: FileSource): void {
  const missing = key.filter((column) => !header.includes(column));
  if (missing.length === 0) return;
  const columns = `Its columns are ${someNames(namesOfHeader(header))}`;
  throw unusableFile(name, `has no column ${someNames(missing)}, which the key of the stream names. ${columns}`);
}

interface FileColumns {
  readonly file: SourceFile;
  readonly header: HeaderRow;
}

/** A column that only some of the files have would be empty in the rows of the others. */
function refuseOtherColumns(first: FileColumns, { file, header }: FileColumns): void {
  const [wanted, found] = [namesOfHeader(first.header), namesOfHeader(header)];
  const missing = wanted.filter((name) => !found.includes(name));
  const added = found.filter((name) => !wanted.includes(name));
  if (missing.length + added.length === 0) return;
  const parts = [
    missing.length > 0 && `without ${someNames(missing)}`,
    added.length > 0 && `with ${someNames(added)}`,
  ].filter((part) => part !== false);
  const remedy = 'Read them with different streams, or set files: newest';
  throw unusableFile(file.name, `has other columns than ${first.file.name}: ${parts.join(', and ')}. ${remedy}`);
}

function rowOf(
  { name }: SourceFile,
  header: HeaderRow,
  { cells, line, isSparse }: FileRecord,
  { key }: FileSource,
): RawRow {
  const isLonger = cells.slice(header.length).some((cell) => cell !== null && cell !== '');
  if (isLonger || (cells.length < header.length && !isSparse)) {
    const problem = `has ${cells.length} values in line ${line}, but ${header.length} columns`;
    throw unusableFile(
      name,
      `${problem}. A value may contain the delimiter without quotes, or the file may be incomplete`,
    );
  }
  const row: Row = {};
  for (const [index, column] of header.entries()) {
    const cell = cells[index] ?? null;
    if (column !== undefined) row[column] = cell === '' ? null : cell;
  }
  const empty = key.filter((column) => row[column] === null || String(row[column]).trim() === '');
  if (key.length > 0 && empty.length === key.length) {
    throw unusableFile(
      name,
      `has no value of the key (${someNames(empty)}) in line ${line}. Remove the line, or give it one`,
    );
  }
  return { key: keyOf(row, key), row };
}
