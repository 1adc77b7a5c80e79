import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { loadPlatform, type Platform, type Stream } from '@unified/connectors';

const template = fileURLToPath(new URL('../templates/sql', import.meta.url));

/** Suppliers and articles in an SQLite file. */
export interface BookFile {
  readonly folder: string;
  readonly settings: { readonly url: string };
  readonly books: DatabaseSync;
  remove(): void;
}

const tables = `
  CREATE TABLE supplier (id integer PRIMARY KEY, number text NOT NULL, name text NOT NULL, email text, version int NOT NULL);
  CREATE INDEX supplier_version ON supplier (version, id);
  CREATE TABLE article (number text PRIMARY KEY NOT NULL, name text NOT NULL, version int NOT NULL);`;

/**
 * Creates the file. Groups of ten suppliers have the same version. The service may open it only if `SQLITE_FOLDER` is `folder`.
 */
export function createBookFile(): BookFile {
  const folder = mkdtempSync(join(tmpdir(), 'books-'));
  const file = join(folder, 'books.sqlite');
  const books = new DatabaseSync(file);
  books.exec(tables);
  const supplier = books.prepare('INSERT INTO supplier VALUES (?, ?, ?, ?, ?)');
  for (let id = 1; id <= 50; id++)
    supplier.run(id, `S-${id}`, `Supplier ${id}`, `${id}@example.com`, Math.ceil(id / 10));
  const article = books.prepare('INSERT INTO article VALUES (?, ?, ?)');
  for (const [index, number] of ['A-1', 'A/2', 'ü 3'].entries()) article.run(number, `Article ${index}`, index);
  return {
    ...{ folder, settings: { url: `sqlite://${file}` }, books },
    remove() {
      books.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** The platform of the template, changed stream by stream. */
export function bookPlatform(change: (stream: Stream) => Partial<Stream> = () => ({})): Platform {
  const platform = loadPlatform(template);
  return { ...platform, streams: platform.streams.map((stream) => ({ ...stream, ...change(stream) })) };
}
