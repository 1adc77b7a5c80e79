import type { OpenedFile, SourceFile } from './file-folder.ts';
import { formatOf } from './file-format.ts';
import type { FileSource } from './options.ts';

/**
 * A file that can be read several times. A workbook is opened only once, because one on another machine is copied each time; the
 * caller closes it. The beginning of a text is read again.
 */
export function openedOnce(
  file: SourceFile,
  source: FileSource,
): { readonly file: SourceFile; close(): Promise<void> } {
  if (formatOf(file, source) === 'csv') return { file, close: async () => {} };
  let opened: Promise<OpenedFile> | undefined;
  const folder = {
    ...file.folder,
    async open(): Promise<OpenedFile> {
      opened ??= file.folder.open(file);
      return { ...(await opened), close: async () => {} };
    },
  };
  return { file: { ...file, folder }, close: async () => (await opened)?.close() };
}
