import { unusableFile } from './file-failure.ts';
import { type Cell, type FileRecord, isBlankRecord, MOST_COLUMNS } from './file-record.ts';

/** Columns of a file by their positions; undefined for those without a name, which are not read. */
export type HeaderRow = readonly (string | undefined)[];

/**
 * The names in a header row. A name that occurs again gets its number: `Name (2)`.
 *
 * @throws SystemError `rejected` if there are none, or too many
 */
export function headerRow(file: string, record: FileRecord): HeaderRow {
  if (record.cells.length > MOST_COLUMNS) {
    throw unusableFile(file, `has ${record.cells.length} columns, and at most ${MOST_COLUMNS} are read`);
  }
  if (isBlankRecord(record)) throw unusableFile(file, `has no names of columns in line ${record.line}`);
  const used = new Set<string>();
  return record.cells.map((cell) => {
    const name = nameIn(cell);
    if (name === '') return undefined;
    if (name === '__proto__') throw unusableFile(file, 'has a column "__proto__", which cannot be read. Rename it');
    let unique = name;
    for (let count = 2; used.has(unique); count += 1) unique = `${name} (${count})`;
    used.add(unique);
    return unique;
  });
}

/** On one line, because names are shown in lists. */
function nameIn(cell: Cell): string {
  return cell === null ? '' : String(cell).replaceAll(/\s+/g, ' ').trim();
}

/** The names of the columns. */
export function namesOfHeader(header: HeaderRow): string[] {
  return header.filter((name) => name !== undefined);
}

/** Names for a message: the first ones, and how many there are. */
export function someNames(names: readonly string[]): string {
  const most = 20;
  const shown = names.slice(0, most).map((name) => `"${name}"`);
  return names.length > most ? `${shown.join(', ')} and ${names.length - most} more` : shown.join(', ');
}
