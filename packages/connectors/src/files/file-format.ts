import type { SourceFile } from './file-folder.ts';
import type { FileSource } from './options.ts';

/** The format of a file: the one that the stream states, or that of its name. */
export function formatOf({ name }: SourceFile, { format }: FileSource): 'xlsx' | 'csv' {
  return format ?? (/\.xls[xm]$/i.test(name) ? 'xlsx' : 'csv');
}
