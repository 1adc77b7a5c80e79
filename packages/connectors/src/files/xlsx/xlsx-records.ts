import type { SourceFile } from '../file-folder.ts';
import type { FileRecord } from '../file-record.ts';
import type { FileSource } from '../options.ts';
import { readDateStyles } from './date-styles.ts';
import { readSharedStrings } from './shared-strings.ts';
import { SheetReader } from './sheet-reader.ts';
import { partOfSheet, readWorkbook } from './workbook.ts';
import { xmlEvents } from './xml-events.ts';
import { ZipParts } from './zip-parts.ts';

/**
 * The rows of a sheet from its header row on, a list for each piece of the file, read as they are consumed; only the texts that
 * cells share are in memory. A formula is the value that it had when the file was saved.
 *
 * @throws SystemError `rejected` for a file that is not an XLSX workbook, or exceeds the limits
 */
export async function* xlsxRecords(file: SourceFile, source: FileSource): AsyncGenerator<FileRecord[], void, void> {
  const parts = await ZipParts.open(file);
  try {
    const workbook = await readWorkbook(file.name, parts);
    const part = partOfSheet(file.name, workbook, source.sheet);
    const reader = new SheetReader(file.name, {
      texts: await readSharedStrings(file.name, parts),
      dateStyles: await readDateStyles(file.name, parts),
      isFrom1904: workbook.isFrom1904,
    });
    for await (const _ of xmlEvents(file.name, parts.bytes(part), reader)) {
      yield reader.take().filter(({ line }) => line >= source.header);
    }
  } finally {
    await parts.close();
  }
}
