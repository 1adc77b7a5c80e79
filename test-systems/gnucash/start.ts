import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import { createBook, type Figures } from './book.ts';

export { createBook };

/** A book in its own file. */
export interface BookFile {
  /** The service may open it only if `SQLITE_FOLDER` is this folder. */
  readonly folder: string;
  readonly file: string;
  readonly figures: Figures;
  /** Removes the folder. */
  stop(): Promise<void>;
}

/**
 * Creates a GnuCash book in a new file.
 *
 * @throws {Error} when GnuCash is not installed (`install.sh`)
 */
export async function startBook(): Promise<BookFile> {
  await using started = new AsyncDisposableStack();
  const folder = await temporaryFolder('gnucash-', started);
  const file = join(folder, 'book.gnucash');
  const figures = await createBook(`sqlite3://${file}`);
  const running = started.move();
  return { folder, file, figures, stop: () => running.disposeAsync() };
}
